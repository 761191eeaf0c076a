#include "fovea/tasks/language/generating.h"

#include <limits>

#include "fovea/tasks/text_stream.h"

namespace fovea {

Generating::Generating(const WritingModel& model, LanguageDecode decode)
    : model_(model), config_(std::move(decode)), longest_(config_.max_length) {
  check(config_);
  config_.max_length = std::numeric_limits<Dim>::max();
}

DecodeRequest Generating::request(std::string_view prompt, Dim number) const {
  const Ids ids = model_.text.encode(prompt);
  DecodeRequest request{.prefix = model_.text.beginning(), .number = number};
  if (request.prefix.empty() && ids.empty()) request.prefix = {model_.text.line_end()};
  request.control = std::ssize(request.prefix);
  request.prefix.insert(request.prefix.end(), ids.begin(), ids.end());
  if (config_.min_length > 0) request.min_length = std::ssize(ids) + config_.min_length;
  request.max_length = std::ssize(ids) + longest_;
  return request;
}

std::string Generating::written(const Hypothesis& text, const DecodeRequest& request) const {
  return model_.text.continuation(
      text.ids, request.prefix.size() - static_cast<std::size_t>(request.control));
}

Written Generating::result(const Hypothesis& text, const DecodeRequest& request) const {
  const std::string whole = written(text, request);
  const std::string_view kept = before_stop(whole, config_.stop);
  return {.text = std::string(kept),
          .log_probability = text.log_probability,
          .tokens = std::ssize(text.ids) - std::ssize(request.prefix) + request.control,
          .stopped = kept.size() < whole.size() || text.finished};
}

}  // namespace fovea
