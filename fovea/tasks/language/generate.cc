#include "fovea/tasks/language/generate.h"

#include <algorithm>

#include "fovea/tasks/language/generating.h"
#include "fovea/tasks/language/language_stepper.h"

namespace fovea {
namespace {

/// What decoding makes of half a character, or of each of its bytes.
constexpr std::string_view half_character = "\uFFFD";
constexpr std::size_t prompts_at_once = 64;

/// How many bytes at the end of a text may be the beginning of a stop string.
std::size_t perhaps_stop(std::string_view text, std::string_view stop) {
  for (std::size_t n = std::min(text.size(), stop.size() - 1); n > 0; --n) {
    if (text.ends_with(stop.substr(0, n))) return n;
  }
  return 0;
}

std::vector<std::vector<Written>> batch(const WritingModel& model, const Generating& generating,
                                        std::span<const std::string> prompts, Dim first,
                                        const std::function<void(std::string_view)>& on_text) {
  std::vector<DecodeRequest> requests;
  for (const std::string& prompt : prompts) {
    requests.push_back(generating.request(prompt, first + std::ssize(requests)));
  }
  LanguageStepper stepper(model.net, std::ssize(requests), model.context());
  const LanguageDecode& config = generating.config();
  TextStream stream(config.stop, on_text);  // of one text, if it is told at all
  const Watch watch = [&](Dim request, Dim, const Hypothesis& text) {
    return stream.grow(generating.written(text, requests[static_cast<std::size_t>(request)]));
  };
  const bool watched = on_text || !config.stop.empty();
  const auto found = decode(stepper, requests, model.text.text_end(), config,
                            model.text.never_written(), watched ? watch : Watch());
  std::vector<std::vector<Written>> all(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Hypothesis& one : found[i]) all[i].push_back(generating.result(one, requests[i]));
  }
  if (on_text) stream.finish(all[0][0].text);
  return all;
}

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
  std::string_view whole = text;
  while (whole.ends_with(half_character)) whole.remove_suffix(half_character.size());
  back = std::max(back, text.size() - whole.size());
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
  const Generating generating(model, options.decode);
  std::vector<std::vector<Written>> all;
  for (std::size_t first = 0; first < prompts.size(); first += prompts_at_once) {
    const std::size_t count = std::min(prompts_at_once, prompts.size() - first);
    for (auto& texts : batch(model, generating, prompts.subspan(first, count),
                             options.first + static_cast<Dim>(first), options.on_text)) {
      all.push_back(std::move(texts));
    }
    if (options.progress) options.progress(std::ssize(all));
  }
  return all;
}

}  // namespace fovea
