#include "fovea/tasks/generate.h"

#include <algorithm>
#include <limits>

#include "fovea/tasks/language_stepper.h"

namespace fovea {
namespace {

constexpr std::string_view half_character = "\uFFFD";  // what decoding makes of one
constexpr std::size_t prompts_at_once = 64;

/// How many bytes at the end of a text may be the beginning of a stop string.
std::size_t perhaps_stop(std::string_view text, std::string_view stop) {
  for (std::size_t n = std::min(text.size(), stop.size() - 1); n > 0; --n) {
    if (text.ends_with(stop.substr(0, n))) return n;
  }
  return 0;
}

class Generating {
 public:
  Generating(const WritingModel& model, const GenerateOptions& options)
      : model_(model), options_(options), config_(options.decode) {
    for (const std::string& stop : config_.stop) {
      FOVEA_CHECK(!stop.empty(), "decode.stop: an empty text would stop every other");
    }
    FOVEA_CHECK(config_.max_length >= 1, "decode.max_length: expected at least 1, found ",
                config_.max_length);
    config_.max_length = std::numeric_limits<Dim>::max();  // each request has its own
  }

  std::vector<std::vector<Written>> batch(std::span<const std::string> prompts,
                                          std::size_t first) const {
    std::vector<DecodeRequest> requests;
    for (const std::string& prompt : prompts) {
      DecodeRequest request{.prefix = {model_.text.line_end()}, .control = 1};
      const Ids ids = model_.text.encode(prompt);
      request.prefix.insert(request.prefix.end(), ids.begin(), ids.end());
      request.max_length = std::ssize(ids) + options_.decode.max_length;
      request.number = static_cast<Dim>(first + requests.size());
      requests.push_back(std::move(request));
    }
    LanguageStepper stepper(model_.net, std::ssize(requests), model_.context());
    TextStream stream(config_.stop, options_.on_text);  // of one text, if it is told at all
    const Watch watch = [&](Dim request, Dim, const Hypothesis& text) {
      return stream.grow(written(text, requests[static_cast<std::size_t>(request)]));
    };
    const bool watched = options_.on_text || !config_.stop.empty();
    const auto found = decode(stepper, requests, no_end, config_, model_.text.never_written(),
                              watched ? watch : Watch());
    std::vector<std::vector<Written>> all(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const Hypothesis& one : found[i]) all[i].push_back(result(one, requests[i]));
    }
    if (options_.on_text) stream.finish(all[0][0].text);
    return all;
  }

 private:
  std::string written(const Hypothesis& text, const DecodeRequest& request) const {
    return model_.text.continuation(text.ids, request.prefix.size() - 1);
  }

  Written result(const Hypothesis& text, const DecodeRequest& request) const {
    const std::string whole = written(text, request);
    const std::string_view kept = before_stop(whole, config_.stop);
    return {.text = std::string(kept),
            .log_probability = text.log_probability,
            .tokens = std::ssize(text.ids) - std::ssize(request.prefix) + 1,
            .stopped = kept.size() < whole.size()};
  }

  const WritingModel& model_;
  const GenerateOptions& options_;
  LanguageDecode config_;
};

}  // namespace

std::string_view before_stop(std::string_view text, std::span<const std::string> stops) {
  std::size_t end = text.size();
  for (const std::string& stop : stops) end = std::min(end, text.find(stop));
  return text.substr(0, end);
}

bool TextStream::grow(std::string_view text) {
  const std::string_view kept = before_stop(text, stops_);
  if (kept.size() < text.size()) return true;
  std::size_t back = 0;
  for (const std::string& stop : stops_) back = std::max(back, perhaps_stop(text, stop));
  if (text.ends_with(half_character)) back = std::max(back, half_character.size());
  give(text.substr(0, text.size() - back));
  return false;
}

void TextStream::finish(std::string_view text) { give(text); }

void TextStream::give(std::string_view text) {
  if (text.size() <= given_) return;
  if (out_) out_(text.substr(given_));
  given_ = text.size();
}

std::vector<std::vector<Written>> generate(const WritingModel& model,
                                           std::span<const std::string> prompts,
                                           const GenerateOptions& options) {
  FOVEA_CHECK(!options.on_text || (prompts.size() == 1 && options.decode.n_best == 1),
              "generate: only one text of one prompt can be told while it is written");
  const Generating generating(model, options);
  std::vector<std::vector<Written>> all;
  for (std::size_t first = 0; first < prompts.size(); first += prompts_at_once) {
    const std::size_t count = std::min(prompts_at_once, prompts.size() - first);
    for (auto& texts : generating.batch(prompts.subspan(first, count), first)) {
      all.push_back(std::move(texts));
    }
    if (options.progress) options.progress(std::ssize(all));
  }
  return all;
}

}  // namespace fovea
