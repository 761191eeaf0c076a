#include "fovea/tasks/translate/translate.h"

#include "fovea/ops/softmax.h"

namespace fovea {
namespace {

/// The decoder over the targets of pairs, from right to left if `reverse`.
WrittenTargets told(const TranslationModel& model, std::span<const IdPair> pairs, bool reverse,
                    const Pass& pass) {
  std::vector<Ids> sources, targets;
  for (const IdPair& pair : pairs) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  return model.write((*model.net.encoder)(joined(sources), pass), targets, reverse, pass,
                     {.lag = model.recipe.decode.lag});
}

}  // namespace

std::vector<double> log_probabilities(const TranslationModel& model, std::span<const IdPair> pairs,
                                      bool reverse) {
  const NoTape no_tape;
  const WrittenTargets targets = told(model, pairs, reverse, {});
  const Tensor logs = log_softmax(targets.out->logits(targets.decoded.rows)).value();  // (N, V)
  const Segments& rows = targets.given.segments;
  std::vector<double> sums;
  for (Dim s = 0; s < rows.count(); ++s) {
    double sum = 0;
    for (Dim r = rows.begin(s); r < rows.end(s); ++r) {
      sum += logs.view<float>()[r][targets.wanted.data<std::int32_t>()[r]];
    }
    sums.push_back(sum);
  }
  return sums;
}

void probe_pairs(const TranslationModel& model, std::span<const IdPair> pairs, Probe& probe) {
  const NoTape no_tape;
  const bool reverse = model.recipe.objective.direction == TargetDirection::reverse;
  told(model, pairs, reverse, {.probe = &probe});
}

}  // namespace fovea
