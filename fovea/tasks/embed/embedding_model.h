/// A model that makes vectors of texts, with all that stands around it in its folder:
///
///   config.json          the recipe, with everything that it left to defaults
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

#include "fovea/data/corpus.h"
#include "fovea/tasks/embed/embed_recipe.h"

namespace fovea {

struct EmbeddingModel {
  EmbedRecipe recipe;
  Tokenizer words;
  std::unique_ptr<Params> params;
  SentenceEncoder encoder;

  EmbeddingModel(EmbedRecipe recipe, Tokenizer words, std::unique_ptr<Params> params);
  static EmbeddingModel load(const std::filesystem::path& folder,
                             const std::vector<std::string>& settings = {}, Use use = Use::train);
  /// All but the weights.
  void save_rest(const std::filesystem::path& folder) const;

  /// With marks around it. `cut` is told whether something was left out.
  Ids encode(std::string_view text, bool* cut = nullptr) const;
};

/// The vectors of texts, in their order: (texts, W), of length 1.
Tensor embed(const EmbeddingModel& model, std::span<const Ids> texts,
             const std::function<void(Dim)>& progress = {});

/// For each row of `asked` (A, W) the rows of `among` (C, W) with the largest products, at most
/// `count`, the largest first.
struct Neighbour {
  Dim row = 0;
  float likeness = 0;
};
std::vector<std::vector<Neighbour>> nearest(const Tensor& asked, const Tensor& among, Dim count);

/// How many rows of `asked` have the row of the same number nearest among `among`.
Dim found_own(const Tensor& asked, const Tensor& among);

/// Learned from both texts of the training part.
Tokenizer train_words(const EmbedRecipe& recipe, const std::filesystem::path& base);

/// Both texts of the pairs of a part: two fields.
Corpus read_corpus(const EmbeddingModel& model, const EmbedData& data, Part part,
                   const std::filesystem::path& base, const std::filesystem::path& scratch);

}  // namespace fovea
