#include "fovea/train/step_gradient.h"

#include <cmath>

#include "fovea/ops/elementwise.h"
#include "fovea/train/clip.h"

namespace fovea {
namespace {

std::vector<double> total_counts(Workload& work, BatchRange batches, std::size_t parts) {
  std::vector<double> totals(parts, 0.0);
  for (Dim b = batches.begin; b < batches.end; ++b) {
    const std::vector<double> counts = work.counts(b);
    FOVEA_CHECK(counts.size() == parts, ErrorKind::internal, "train: the task has ", parts,
                " losses but ", counts.size(), " counts");
    for (std::size_t i = 0; i < parts; ++i) totals[i] += counts[i];
  }
  return totals;
}

/// One batch's share of the step's loss; undefined if it has none. Adds to `sums`.
Var share_of_loss(Workload& work, const std::vector<LossPart>& parts, Dim batch,
                  const std::vector<double>& totals, Rng& rng, std::vector<double>& sums) {
  const std::vector<Var> losses = work.losses(batch, {.rng = &rng});
  FOVEA_CHECK(losses.size() == parts.size(), ErrorKind::internal, "train: the task names ",
              parts.size(), " losses but gives ", losses.size());
  Var share;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!losses[i].defined() || totals[i] == 0) continue;
    sums[i] += losses[i].item();
    const Var part = scale(losses[i], parts[i].weight / totals[i]);
    share = share.defined() ? add(share, part) : part;
  }
  return share;
}

bool is_finite(const Tensor& numbers) {
  bool finite = true;
  with_real("gradient", numbers.dtype(), [&](auto zero) {
    for (const auto x : numbers.span<decltype(zero)>()) finite = finite && std::isfinite(x);
  });
  return finite;
}

bool is_finite(const Gradient& gradient) {
  return is_finite(gradient.is_by_rows() ? gradient.rows() : gradient.dense());
}

/// The parameter whose gradient was the first to be wrong on the way back from the loss, or "".
std::string first_wrong_gradient(const Params& params, const Var& loss) {
  Tensor wrong;
  backward(loss, {.on_final = [&](const Var& parameter, Gradient& gradient) {
             if (!wrong.defined() && !is_finite(gradient)) wrong = parameter.value();
           }});
  if (!wrong.defined()) return "";
  for (const Parameter& p : params.all()) {
    if (p.var.value().same_memory(wrong)) return p.name;
  }
  return "";
}

}  // namespace

bool StepGradient::finite() const {
  for (const double sum : sums) {
    if (!std::isfinite(sum)) return false;
  }
  return true;
}

StepGradient step_gradient(Workload& work, const std::vector<LossPart>& parts, BatchRange batches,
                           Rng& rng) {
  StepGradient step;
  step.counts = total_counts(work, batches, parts.size());
  step.sums.assign(parts.size(), 0.0);
  for (Dim b = batches.begin; b < batches.end; ++b) {
    const Var share = share_of_loss(work, parts, b, step.counts, rng, step.sums);
    if (share.defined()) step.gradients.add(backward(share));
  }
  return step;
}

std::string explain_not_finite(Workload& work, const std::vector<LossPart>& parts,
                               BatchRange batches, Rng rng) {
  const std::vector<double> totals = total_counts(work, batches, parts.size());
  for (Dim b = batches.begin; b < batches.end; ++b) {
    std::vector<double> sums(parts.size(), 0.0);
    const Var share = share_of_loss(work, parts, b, totals, rng, sums);
    if (!share.defined()) continue;
    const std::string layer = first_wrong_gradient(work.params(), share);
    std::string what;
    for (std::size_t i = 0; i < sums.size() && what.empty(); ++i) {
      if (!std::isfinite(sums[i])) what = concat(parts[i].name, " is ", sums[i]);
    }
    if (what.empty() && layer.empty()) continue;
    if (what.empty()) what = concat("the loss is ", share.item(), " but a gradient is not finite");
    for (const Parameter& p : work.params().all()) {
      if (!is_finite(p.var.value())) what += concat(", the weights of ", p.name, " are not finite");
    }
    if (!layer.empty())
      what += concat(", the first wrong gradient back from the loss is that of ", layer);
    return concat("batch ", b, " (", work.describe(b), "): ", what);
  }
  return concat("batches ", batches.begin, " to ", batches.end - 1,
                ": each is finite, their sum is not");
}

}  // namespace fovea
