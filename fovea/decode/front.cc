#include "fovea/decode/front.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/top.h"

namespace fovea {
namespace {

std::span<const std::int32_t> forced_text(const DecodeRequest& request) {
  return std::span(request.prefix).subspan(static_cast<std::size_t>(request.control));
}

/// A copy with one element more, in memory of that size at once.
template <class T>
std::vector<T> appended(const std::vector<T>& row, T last) {
  std::vector<T> result;
  result.reserve(row.size() + 1);
  result.assign(row.begin(), row.end());
  result.push_back(last);
  return result;
}

bool in_order(std::span<const Dim> from, std::size_t count) {
  if (from.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (from[i] != static_cast<Dim>(i)) return false;
  }
  return true;
}

}  // namespace

Front::Front(Stepper& stepper, std::span<const DecodeRequest> requests,
             const Constraints& constraints, const DecodeConfig& config, const Watch& watch)
    : stepper_(stepper),
      requests_(requests),
      constraints_(constraints),
      config_(config),
      watch_(watch),
      coverage_(config.coverage_penalty) {
  std::vector<std::span<const std::int32_t>> prefixes;
  for (const DecodeRequest& request : requests) {
    const Dim given = static_cast<Dim>(request.prefix.size());
    FOVEA_CHECK(given > 0, "decode: request ", prefixes.size(),
                " has an empty prefix, expected at least the symbol that texts begin with");
    FOVEA_CHECK(request.control >= 0 && request.control <= given, "decode: request ",
                prefixes.size(), " has ", request.control, " control symbols in a prefix of ",
                given);
    const auto forced = forced_text(request);
    Open open{.request = static_cast<Dim>(prefixes.size())};
    open.text.ids.assign(forced.begin(), forced.end());
    open.text.token_log_probabilities.assign(forced.size(), 0.0F);
    open_.push_back(std::move(open));
    prefixes.emplace_back(request.prefix);
  }
  next_ = joined(prefixes);
  stepper.attend(coverage_.wanted());
}

void Front::step(const Body& body) {
  Tensor logits = stepper_.step(next_);  // (open, vocabulary)
  check(logits);
  if (!logits.unique()) logits = logits.clone();
  if (coverage_.wanted()) coverage_.add(stepper_.looked_at());
  std::vector<float> log_sums(open_.size());
  const Rows<float> rows = logits.mutable_view<float>();
  parallel_for(rows.rows, kernels::row_grain(rows.cols), [&](Dim begin, Dim end) {
    for (Dim i = begin; i < end; ++i) {
      const auto h = static_cast<std::size_t>(i);
      log_sums[h] = kernels::log_sum_exp(rows[i], rows.cols);
      if (!std::isfinite(log_sums[h])) continue;
      constraints_.apply(open_[h].text.ids, rows[i]);
      body(i, {rows[i], static_cast<std::size_t>(rows.cols)}, log_sums[h]);
    }
  });
  check_finite(log_sums);
}

void Front::check(const Tensor& logits) const {
  FOVEA_CHECK(logits.rows() == static_cast<Dim>(open_.size()), "decode: expected logits of ",
              open_.size(), " hypotheses, found ", logits.shape());
  const Dim vocabulary = logits.cols();
  constraints_.check(vocabulary);
  for (const DecodeRequest& request : requests_) {
    for (const std::int32_t id : forced_text(request)) {
      FOVEA_CHECK(id >= 0 && id < vocabulary, "decode: forced id ", id,
                  ", the model's vocabulary has ", vocabulary);
    }
  }
}

void Front::check_finite(std::span<const float> log_sums) const {
  for (std::size_t i = 0; i < log_sums.size(); ++i) {
    FOVEA_CHECK(std::isfinite(log_sums[i]), "decode: the logits of request ", open_[i].request,
                " after ", open_[i].text.ids.size(), " tokens are not finite (logsumexp ",
                log_sums[i], "); are the model's weights?");
  }
}

void Front::advance(std::vector<Open> next, std::span<const Dim> from) {
  const std::size_t before = open_.size();
  open_ = std::move(next);
  if (open_.empty()) return;
  if (!in_order(from, before)) {
    stepper_.select(from);
    coverage_.select(from);
  }
  const Dim count = static_cast<Dim>(open_.size());
  next_ = {Tensor::empty({count}, DType::i32), Segments::uniform(count, 1)};
  std::int32_t* ids = next_.ids.mutable_data<std::int32_t>();
  for (const Open& open : open_) *ids++ = open.text.ids.back();
}

Open Front::longer(const Open& open, std::int32_t id, float log_probability) const {
  const Hypothesis& text = open.text;
  Open result{.request = open.request, .sample = open.sample};
  result.text.finished = id == constraints_.end();
  result.text.ids = result.text.finished ? text.ids : appended(text.ids, id);
  result.text.token_log_probabilities = appended(text.token_log_probabilities, log_probability);
  result.text.log_probability = text.log_probability + static_cast<double>(log_probability);
  return result;
}

Dim Front::limit(Dim request) const {
  const DecodeRequest& asked = requests_[static_cast<std::size_t>(request)];
  const Dim limit =
      asked.max_length > 0 ? std::min(asked.max_length, config_.max_length) : config_.max_length;
  return std::max(limit, static_cast<Dim>(forced_text(asked).size()) + 1);
}

void Front::show(Open& open) const {
  if (watch_ && watch_(open.request, open.sample, open.text)) open.text.finished = true;
}

bool Front::closed(const Open& open) const {
  return open.text.finished || static_cast<Dim>(open.text.ids.size()) >= limit(open.request);
}

Hypothesis Front::scored(Open open, Dim from) const {
  Hypothesis& text = open.text;
  text.score = normalised(text.log_probability, text.length(), config_.length_penalty) +
               coverage_.penalty(from);
  return std::move(text);
}

}  // namespace fovea
