/// A model that fills in masks, with all that stands around it in its folder:
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
#include "fovea/tasks/mask/mask_recipe.h"

namespace fovea {

/// A token that may stand at a mask.
struct FilledToken {
  std::int32_t id = 0;
  float probability = 0;
};

struct MaskedLanguageModel {
  MaskRecipe recipe;
  Tokenizer words;
  std::unique_ptr<Params> params;
  MaskedModel model;

  MaskedLanguageModel(MaskRecipe recipe, Tokenizer words, std::unique_ptr<Params> params);
  static MaskedLanguageModel load(const std::filesystem::path& folder,
                                  const std::vector<std::string>& settings = {},
                                  Use use = Use::train);
  /// Writes all but the weights; returns the names of these files and folders.
  std::vector<std::string> save_rest(const std::filesystem::path& folder) const;

  /// A line as it is read: begin, its tokens with a mask for each "[MASK]" in it, end. Here alone
  /// is "[MASK]" more than letters. `cut` is told whether something was left out.
  Ids encode(std::string_view line, bool* cut = nullptr) const;
  /// Where masks stand in it.
  Ids masks_in(std::span<const std::int32_t> tokens) const;
};

/// For each mask of each line the likeliest tokens, at most `count`, the likeliest first. Control
/// symbols are not among them.
std::vector<std::vector<std::vector<FilledToken>>> fill_masks(
    const MaskedLanguageModel& model, std::span<const Ids> lines, Dim count,
    const std::function<void(Dim)>& progress = {});

}  // namespace fovea
