#include "fovea/tasks/language/language_stepper.h"

#include <algorithm>

#include "fovea/tasks/cached_stepper.h"

namespace fovea {

LanguageStepper::LanguageStepper(const LanguageModel& model, Dim texts, Dim context)
    : model_(model), context_(context), cache_(texts), read_(static_cast<std::size_t>(texts)) {}

void LanguageStepper::track_coverage(bool on) {
  FOVEA_CHECK(!on, "decode: a language model has no source to cover; set decode.coverage_penalty ",
              "to 0");
}

std::vector<Dim> LanguageStepper::outgrown(const Sequences& next) {
  std::vector<Dim> texts;
  for (Dim t = 0; context_ > 0 && t < next.segments.count(); ++t) {
    Ids& read = read_[static_cast<std::size_t>(t)];
    const auto ids = next.ids.span<std::int32_t>();
    read.insert(read.end(), ids.begin() + next.segments.begin(t),
                ids.begin() + next.segments.end(t));
    if (std::ssize(read) <= context_) continue;
    const Dim kept = std::min(context_, std::max(next.segments.length(t), (context_ + 1) / 2));
    read.erase(read.begin(), read.end() - kept);
    texts.push_back(t);
  }
  return texts;
}

Tensor LanguageStepper::logits(const Sequences& rows, Cache& cache) const {
  const NoTape no_tape;
  const Var h = model_(rows, {.cache = &cache});  // (N, W)
  return model_.out.logits(last_rows(h, rows.segments)).value();
}

Tensor LanguageStepper::step(const Sequences& next) {
  const std::vector<Dim> texts = outgrown(next);
  if (texts.empty()) return logits(next, cache_);
  // Those that outgrew the context are read anew by themselves, the others go on; then all stand in
  // their order again.
  std::vector<Dim> order(read_.size()), rest;
  std::vector<Ids> anew, last;
  for (Dim t = 0; t < next.segments.count(); ++t) {
    const Ids& read = read_[static_cast<std::size_t>(t)];
    const bool out = std::binary_search(texts.begin(), texts.end(), t);
    order[static_cast<std::size_t>(t)] = out ? std::ssize(anew) : std::ssize(rest);
    if (out) {
      anew.push_back(read);
    } else {
      rest.push_back(t);
      last.emplace_back(read.end() - next.segments.length(t), read.end());
    }
  }
  Cache fresh(std::ssize(texts));
  const Tensor of_anew = logits(joined(anew), fresh);
  if (rest.empty()) {
    cache_ = std::move(fresh);
    return of_anew;
  }
  cache_.select(rest);
  const Tensor of_rest = logits(joined(last), cache_);
  cache_.join(fresh);
  Tensor all = Tensor::empty({next.segments.count(), of_rest.cols()});
  for (Dim t = 0; t < next.segments.count(); ++t) {
    const bool out = std::binary_search(texts.begin(), texts.end(), t);
    Dim& at = order[static_cast<std::size_t>(t)];
    std::copy_n((out ? of_anew : of_rest).view<float>()[at], all.cols(),
                all.mutable_view<float>()[t]);
    if (out) at += std::ssize(rest);
  }
  cache_.select(order);
  return all;
}

void LanguageStepper::select(std::span<const Dim> from) {
  cache_.select(from);
  std::vector<Ids> read;
  for (const Dim text : from) read.push_back(read_[static_cast<std::size_t>(text)]);
  read_ = std::move(read);
}

void LanguageStepper::join(Stepper& other) {
  auto& from = dynamic_cast<LanguageStepper&>(other);
  cache_.join(from.cache_);
  std::move(from.read_.begin(), from.read_.end(), std::back_inserter(read_));
  from.cache_ = Cache(0);
  from.read_.clear();
}

}  // namespace fovea
