/// What every model of a task is made of: its recipe, its tokenizers and its weights. In its
/// folder:
///
///   config.json          the recipe, with everything that it left to defaults
///   model.safetensors    the weights
///   words.json, ...      the tokenizers, by their names
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fovea/tasks/model_folder.h"

namespace fovea {

/// A tokenizer that a model needs, and how many ids its recipe says it has; 0: it does not say.
struct NeededTokenizer {
  std::string name;
  Dim size = 0;
};

template <class R>
struct TrainedModel {
  using Recipe = R;

  R recipe;
  TokenizerMap tokenizers;
  std::unique_ptr<Params> params;

  /// The settings of a model whose config.json is older than they are.
  static R older() { return {}; }
  /// Writes all but the weights; returns the names of these files.
  std::vector<std::string> save_rest(const std::filesystem::path& folder) const {
    return save_config(folder, write_config(recipe), tokenizers);
  }
};

/// A model M(recipe, tokenizers, params) from its folder; M::needed_tokenizers(recipe) names its
/// tokenizers. If its save_rest writes more, the constructor's last argument is that, as
/// M::load_rest(recipe, folder) reads it. Errors name the file that is missing, cut off or does not
/// fit the others.
template <class M>
M load_model(const std::filesystem::path& folder, const std::vector<std::string>& settings = {},
             Use use = Use::train) {
  auto recipe = recipe_of_model(folder, settings, M::older());
  TokenizerMap tokenizers;
  for (const NeededTokenizer& needed : M::needed_tokenizers(recipe)) {
    tokenizers.emplace(needed.name, needed.size > 0
                                        ? tokenizer_of_model(folder, needed.name, needed.size)
                                        : tokenizer_of_model(folder, needed.name));
  }
  auto params = weights_of_model(folder, use);
  if constexpr (requires { M::load_rest(recipe, folder); }) {
    auto rest = M::load_rest(recipe, folder);
    return {std::move(recipe), std::move(tokenizers), std::move(params), std::move(rest)};
  } else {
    return {std::move(recipe), std::move(tokenizers), std::move(params)};
  }
}

}  // namespace fovea
