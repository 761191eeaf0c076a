#include "fovea/tasks/translate/live_translation.h"

#include <algorithm>
#include <limits>

#include "fovea/tasks/text_stream.h"

namespace fovea {
namespace {

/// The likeliest token each time, as far as the source allows.
TranslateDecode greedy(const TranslateDecode& decode) {
  TranslateDecode greedy;
  greedy.search = Search::greedy;
  greedy.max_length = std::numeric_limits<Dim>::max();
  greedy.ratio = decode.ratio;
  greedy.lag = decode.lag;
  return greedy;
}

}  // namespace

LiveTranslation::LiveTranslation(const TranslationModel& model)
    : model_(model),
      search_(model, greedy(model.recipe.decode)),
      lag_(model.recipe.decode.lag < 0 ? lag_of(model.recipe.model.config)
                                       : model.recipe.decode.lag) {
  FOVEA_CHECK(lag_of(model.recipe.model.config) > 0 && lag_ > 0,
              "live: this model waits for the whole source; train one with model.lag = 3, say");
  FOVEA_CHECK(model.recipe.objective.direction != TargetDirection::reverse,
              "live: this model writes from right to left");
}

void LiveTranslation::encode(const Ids& ids) {
  if (ids.empty()) return;
  const NoTape no_tape;
  Encoded more = (*model_.net.encoder)(joined(std::span(&ids, 1)), {.cache = &encoder_});
  rows_ += more.rows.rows();
  if (stepper_) return stepper_->extend_source(more.rows.value());
  stepper_ = search_.stepper(std::move(more));
  Decoding::Requests requests;
  // The length of the source, which limits the target, is not known yet: see write().
  const DecodeRequest request{.prefix = {model_.first(false)},
                              .max_length = longest_of(model_.recipe.model.config)};
  requests.push_back(Searching::begin({.request = request, .config = search_.decode()},
                                      search_.end(), search_.suppressed()));
  decoding_ = Decoding(stepper_, std::move(requests));
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

std::string LiveTranslation::write() {
  const auto may_write = [&] {
    const Dim written = std::ssize(target_.ids);
    return source_ended_ ? written < search_.longest(rows_) : written + lag_ <= rows_;
  };
  while (!decoding_.empty() && may_write()) {
    const auto ended = decoding_.step();
    target_ =
        ended.empty() ? decoding_.requests()[0]->open()[0].text : ended[0]->take_found().front();
  }
  const std::string all = search_.text_of(target_);
  const bool ended = source_ended_ || decoding_.empty();
  const std::string_view whole = ended ? all : whole_characters(all);
  std::string fresh(whole.starts_with(written_) ? whole.substr(written_.size()) : "");
  written_ += fresh;
  return fresh;
}

}  // namespace fovea
