/// ELMo with all that stands around it in its folder:
///
///   config.json                  the recipe, with everything that it left to defaults
///   model.safetensors            the weights
///   words.json, letters.json     the tokenizers: what is predicted, what is read
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/tasks/elmo/elmo_recipe.h"

namespace fovea {

/// The tokens of a text, with the marks at both ends: ids that are predicted, letters of each.
struct ElmoText {
  Ids ids;
  std::vector<Ids> letters;
};

/// Several texts as the model reads them.
struct ElmoBatch {
  Sequences letters;  // a segment for each token
  Segments texts;
  Tensor ids;  // (N)
};

struct ElmoModel {
  ElmoRecipe recipe;
  Tokenizer words, letters;
  std::unique_ptr<Params> params;
  Elmo net;

  ElmoModel(ElmoRecipe recipe, Tokenizer words, Tokenizer letters, std::unique_ptr<Params> params);
  /// Errors name the file that is missing, cut off or does not fit the others.
  static ElmoModel load(const std::filesystem::path& folder,
                        const std::vector<std::string>& settings = {}, Use use = Use::train);
  /// Writes all but the weights; returns the names of these files and folders.
  std::vector<std::string> save_rest(const std::filesystem::path& folder) const;

  /// Words as they are given: at most `longest` with limit, else all.
  ElmoText encode(std::span<const std::string> words, bool limit = true) const;
  /// What of a line of the data is read by itself.
  std::vector<std::string> texts_of(std::string_view line) const;
  /// The words of a text, as the recipe cuts them.
  std::vector<std::string> pieces(std::string_view line) const { return words.pieces(line); }

  /// What every layer knows of each word, without the marks: (words in all, 2P) each. No gradient
  /// goes into it.
  std::vector<Tensor> features(const Sequences& letters, const Segments& texts) const;
  /// The same of all words of every text.
  std::vector<Tensor> features(std::span<const std::vector<std::string>> texts) const;
};

ElmoBatch batch_of(std::span<const ElmoText> texts);

}  // namespace fovea
