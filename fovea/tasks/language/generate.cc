#include "fovea/tasks/language/generate.h"

#include <algorithm>

#include "fovea/tasks/language/generating.h"
#include "fovea/tasks/language/language_stepper.h"
#include "fovea/tasks/text_stream.h"

namespace fovea {
namespace {

constexpr std::size_t prompts_at_once = 64;

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
