#include "fovea/tasks/language_stepper.h"

#include <algorithm>

#include "fovea/tasks/cached_stepper.h"

namespace fovea {

LanguageStepper::LanguageStepper(const LanguageModel& model, Dim texts, Dim context)
    : model_(model), context_(context), cache_(texts), read_(static_cast<std::size_t>(texts)) {}

void LanguageStepper::attend(bool on) {
  FOVEA_CHECK(!on, "decode: a language model has no source to cover; set decode.coverage_penalty ",
              "to 0");
}

Tensor LanguageStepper::step(const Sequences& next) {
  bool outgrown = false;
  for (Dim t = 0; context_ > 0 && t < next.segments.count(); ++t) {
    Ids& read = read_[static_cast<std::size_t>(t)];
    const auto ids = next.ids.span<std::int32_t>();
    read.insert(read.end(), ids.begin() + next.segments.begin(t),
                ids.begin() + next.segments.end(t));
    if (std::ssize(read) <= context_) continue;
    const Dim kept = std::min(context_, std::max(next.segments.length(t), (context_ + 1) / 2));
    read.erase(read.begin(), read.end() - kept);
    outgrown = true;
  }
  // Those that still fit are read anew too, which gives the bits that they had.
  if (outgrown) cache_ = Cache(next.segments.count());
  const Sequences rows = outgrown ? joined(read_) : next;
  const Var h = model_(rows, {.cache = &cache_});  // (N, W)
  return model_.out.logits(last_rows(h, rows.segments)).value();
}

void LanguageStepper::select(std::span<const Dim> from) {
  cache_.select(from);
  std::vector<Ids> read;
  for (const Dim text : from) read.push_back(read_[static_cast<std::size_t>(text)]);
  read_ = std::move(read);
}

}  // namespace fovea
