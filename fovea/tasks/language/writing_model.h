/// A language model with all that stands around it in its folder:
///
///   config.json          the recipe, with everything that it left to defaults
///   model.safetensors    the weights
///   text.json            the tokenizer (and text.model)
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fovea/metrics/perplexity.h"
#include "fovea/tasks/language/language_recipe.h"
#include "fovea/tasks/language/text_flow.h"

namespace fovea {

struct WritingModel {
  LanguageRecipe recipe;
  TextFlow text;
  std::unique_ptr<Params> params;
  LanguageModel net;

  WritingModel(LanguageRecipe recipe, TextFlow text, std::unique_ptr<Params> params);
  /// Errors name the file that is missing, cut off or does not fit the others.
  static WritingModel load(const std::filesystem::path& folder,
                           const std::vector<std::string>& settings = {}, Use use = Use::train);
  /// What config.json says, with `settings` before it.
  static LanguageRecipe recipe_in(const std::filesystem::path& folder,
                                  const std::vector<std::string>& settings = {});
  /// Writes all but the weights; returns the names of these files and folders.
  std::vector<std::string> save_rest(const std::filesystem::path& folder) const;

  bool recurrent() const { return recipe.model.family == TextFamily::recurrent; }
  /// Tokens that it can look back on at once; 0: there is no limit.
  Dim context() const { return recurrent() ? 0 : recipe.batch.context; }
};

/// Stretches of a text as a model reads them: ids, and the id after each, -1 where it is known.
struct StretchRows {
  Sequences read;
  Tensor next;  // (N) i32
};
StretchRows rows_of(std::span<const std::int32_t> ids, std::span<const Stretch> stretches);

/// -log P of every token of a text, of which the first follows the end of a line. `progress` is
/// told how many of all batches are done.
Perplexity measure(const WritingModel& model, std::span<const std::int32_t> ids,
                   const std::function<void(Dim, Dim)>& progress = {});
/// How that was done: "windows of 64 side by side".
std::string protocol_of(const WritingModel& model);

}  // namespace fovea
