#include "fovea/tasks/translate/live_translation.h"

#include <algorithm>

#include "fovea/ops/reduce.h"
#include "fovea/ops/rows.h"

namespace fovea {

LiveTranslation::LiveTranslation(const TranslationModel& model)
    : model_(model),
      lag_(model.recipe.decode.lag < 0 ? lag_of(model.recipe.model.config)
                                       : model.recipe.decode.lag),
      encoder_(1) {
  FOVEA_CHECK(lag_of(model.recipe.model.config) > 0 && lag_ > 0,
              "live: this model waits for the whole source; train one with model.lag = 3, say");
  FOVEA_CHECK(model.recipe.objective.direction != TargetDirection::reverse,
              "live: this model writes from right to left");
}

void LiveTranslation::encode(const Ids& ids) {
  const NoTape no_tape;
  if (ids.empty()) return;
  const Tensor rows =
      (*model_.net.encoder)(joined(std::span(&ids, 1)), {.cache = &encoder_}).rows.value();
  memory_ = memory_.defined() ? concat_rows({memory_, rows}).value() : rows;
}

std::string LiveTranslation::read(std::string_view word) {
  FOVEA_CHECK(!source_ended_, "live: the source has ended");
  source_ += source_.empty() ? "" : " ";
  source_ += word;
  const Ids ids = model_.source.encode(source_);  // a word more changes nothing of those before
  const auto known = static_cast<Dim>(std::min(ids.size(), read_));
  encode(Ids(ids.begin() + known, ids.end()));
  read_ = ids.size();
  return write();
}

std::string LiveTranslation::finish() {
  encode({model_.source.special().end});
  source_ended_ = true;
  return write();
}

/// The likeliest token after those written.
std::int32_t LiveTranslation::next() const {
  const NoTape no_tape;
  Ids read = target_;
  read.insert(read.begin(), model_.target.special().begin);
  const Decoder& decoder = *model_.net.decoder;
  const Encoded source = {memory_, Segments::uniform(1, memory_.rows())};
  const Var h = decoder.decode(joined(std::span(&read, 1)), source, {}, {.lag = lag_}).rows;
  const auto last = static_cast<Dim>(read.size()) - 1;
  Tensor logits = decoder.out().logits(slice_rows(h, last, last + 1)).value();  // (1, V)
  float* row = logits.mutable_data<float>();
  for (const std::int32_t id : model_.never_written()) {
    row[id] = -std::numeric_limits<float>::infinity();
  }
  return static_cast<std::int32_t>(std::max_element(row, row + logits.cols()) - row);
}

std::string LiveTranslation::write() {
  const auto limit = [&] {
    return static_cast<Dim>(model_.recipe.decode.ratio * static_cast<double>(memory_.rows())) + 16;
  };
  while (!ended_ && memory_.defined() &&
         (source_ended_ || memory_.rows() >= lag_ + static_cast<Dim>(target_.size()))) {
    const std::int32_t id = next();
    ended_ = id == model_.target.special().end ||
             (source_ended_ && static_cast<Dim>(target_.size()) >= limit());
    if (!ended_) target_.push_back(id);
  }
  std::string all = model_.target.decode(target_);
  // The bytes of half a character are no text yet.
  constexpr std::string_view half = "\xEF\xBF\xBD";
  while (!ended_ && all.ends_with(half)) all.resize(all.size() - half.size());
  std::string fresh = all.starts_with(written_) ? all.substr(written_.size()) : "";
  if (!fresh.empty()) written_ = std::move(all);
  return fresh;
}

}  // namespace fovea
