/// What the folder of every trained model holds, whatever its task: config.json, which is its
/// recipe, tokenizers and model.safetensors. Errors name the file that is missing, cut off or does
/// not fit the others.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fovea/nn/params.h"
#include "fovea/tasks/recipe.h"
#include "fovea/text/tokenizer.h"

namespace fovea {

/// The error again, of a folder: with its name before it, unless it begins with that.
[[noreturn]] void fail_in(const std::filesystem::path& folder, const Error& error);

/// What config.json does not say is as in `recipe`: settings that older models did not have yet.
template <class Recipe>
Recipe recipe_of_model(const std::filesystem::path& folder,
                       const std::vector<std::string>& settings, Recipe recipe = {}) {
  try {
    read_config(model_config(folder, settings), recipe);
  } catch (const Error& error) {
    throw blamed(error, settings, (folder / "config.json").string(), "--set (or an option):");
  }
  return recipe;
}

/// By the names of their files.
using TokenizerMap = std::map<std::string, Tokenizer>;

/// Saves the tokenizers, then config.json: the recipe and a checksum of each tokenizer, so that
/// another one in its place is noticed. Returns the names of all files.
std::vector<std::string> save_config(const std::filesystem::path& folder, Json recipe,
                                     const TokenizerMap& tokenizers);

/// The one that was saved with config.json. Models from before do not know which that was.
Tokenizer tokenizer_of_model(const std::filesystem::path& folder, const std::string& name);
/// `size`: the ids that the recipe says it has.
Tokenizer tokenizer_of_model(const std::filesystem::path& folder, const std::string& name,
                             Dim size);
std::unique_ptr<Params> weights_of_model(const std::filesystem::path& folder, Use use);

/// Copies files of another model's folder, which a model takes along: each appears whole or not at
/// all. Nothing is done if both are one place.
void take_along(const std::filesystem::path& from, const std::filesystem::path& to,
                const std::vector<std::string>& files);

}  // namespace fovea
