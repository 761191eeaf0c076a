/// A model that classifies texts, with all that stands around it in its folder:
///
///   config.json          the recipe, with everything that it left to defaults, and the labels
///   model.safetensors    the weights
///   words.json           the tokenizer
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/tasks/classify/classify_recipe.h"

namespace fovea {

/// What is classified; the second text is empty if the model reads one.
struct TextPair {
  std::string first, second = {};
};

/// A text as ids: all its words, and how many of them each of its sentences has. For an encoder
/// marks stand around them: begin first text end second text end (Devlin et al. 2019, 3).
struct EncodedText {
  Ids words, sentences;
};

/// The same for a pair, as a model reads it: lent, from a corpus or from encoded texts.
struct TextIds {
  std::span<const std::int32_t> words, sentences, second;
};

struct ClassificationModel {
  ClassifyRecipe recipe;
  Tokenizer words;
  std::unique_ptr<Params> params;
  std::unique_ptr<TextClassifier> classifier;

  /// The recipe's labels are known by now.
  ClassificationModel(ClassifyRecipe recipe, Tokenizer words, std::unique_ptr<Params> params);
  /// Errors name the file that is missing, cut off or does not fit the others.
  static ClassificationModel load(const std::filesystem::path& folder,
                                  const std::vector<std::string>& settings = {},
                                  Use use = Use::train);
  /// Writes all but the weights; returns the names of these files and folders.
  std::vector<std::string> save_rest(const std::filesystem::path& folder) const;

  bool pairs() const { return reads_pairs(recipe.model); }
  /// What an answer calls a class.
  const std::string& name(Dim label) const;

  /// `second`: of a pair.
  EncodedText encode(std::string_view text, bool second = false) const;
  /// The words of each sentence as `encode` reads them, also those that are unknown.
  std::vector<std::vector<std::string>> pieces(std::string_view text, bool second = false) const;
  /// Whether `encode` leaves something out.
  bool too_long(std::string_view text) const;

 private:
  /// The marks around a text.
  Ids before(bool second) const;
  Ids after(bool second) const;
};

TextBatch batch_of(std::span<const TextIds> texts);

/// The probability of each class for each text, in their order. `progress` is told how many are
/// done.
std::vector<std::vector<float>> classify(const ClassificationModel& model,
                                         std::span<const TextPair> texts,
                                         const std::function<void(Dim)>& progress = {});
/// The class of the largest.
Dim best_of(std::span<const float> probabilities);

}  // namespace fovea
