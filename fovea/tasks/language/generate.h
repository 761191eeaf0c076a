/// Language models that write: what follows a prompt.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/tasks/language/writing_model.h"

namespace fovea {

/// What was written after a prompt.
struct Written {
  std::string text;  // without the prompt and what stopped it
  double log_probability = 0;
  Dim tokens = 0;        // that were written
  bool stopped = false;  // by a stop string, not by its length
};

struct GenerateOptions {
  LanguageDecode decode = {};
  Dim first = 0;  // the number of the first prompt
  /// Told what follows the first prompt while it is written; of a single prompt and sample.
  std::function<void(std::string_view)> on_text = {};
  std::function<void(Dim)> progress = {};  // told how many prompts are done
};

/// decode.n_best texts for each prompt. A prompt begins a line. What is sampled depends on the seed
/// and on the prompt's number, not on the others.
std::vector<std::vector<Written>> generate(const WritingModel& model,
                                           std::span<const std::string> prompts,
                                           const GenerateOptions& options);

}  // namespace fovea
