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

/// The part of a text before the first of the stop strings in it.
std::string_view before_stop(std::string_view text, std::span<const std::string> stops);

/// Gives a growing text on piece by piece, but nothing that may still turn out to be a stop string
/// or half a character.
class TextStream {
 public:
  TextStream(std::span<const std::string> stops, std::function<void(std::string_view)> out)
      : stops_(stops), out_(std::move(out)) {}

  /// The text as it is now. True if a stop string is in it.
  bool grow(std::string_view text);
  /// The text as it stays.
  void finish(std::string_view text);

 private:
  void give(std::string_view text);

  std::span<const std::string> stops_;
  std::function<void(std::string_view)> out_;
  std::size_t given_ = 0;
};

}  // namespace fovea
