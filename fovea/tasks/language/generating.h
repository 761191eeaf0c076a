/// One way of continuing prompts: what `generate` and a writer that serves many callers have in
/// common.
#pragma once

#include "fovea/decode/searching.h"
#include "fovea/tasks/language/generate.h"

namespace fovea {

class Generating {
 public:
  Generating(const WritingModel& model, LanguageDecode decode);

  /// How all are searched; each request has a limit of its own.
  const LanguageDecode& config() const { return config_; }
  /// What is asked of a search for what follows the prompt; `number` as in DecodeRequest.
  DecodeRequest request(std::string_view prompt, Dim number) const;
  /// What was written after the prompt, perhaps beyond a stop string.
  std::string written(const Hypothesis& text, const DecodeRequest& request) const;
  Written result(const Hypothesis& text, const DecodeRequest& request) const;

 private:
  const WritingModel& model_;
  LanguageDecode config_;
  Dim longest_;
};

}  // namespace fovea
