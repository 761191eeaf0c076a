/// An encoder that an earlier run trained, to begin another task with: `model.from = "runs/bert"`.
/// The folder of any model whose config.json has `model.encoder` will do; its settings, its
/// tokenizer (words.json) and its weights ("encoder.*", and "pooler.*" if it has one) are taken,
/// and what the new task adds is drawn.
///
///   const Pretrained before = Pretrained::open(recipe.model.from, base);
///   recipe.model.encoder = before.settings(recipe.model.encoder);
///   Model model(recipe, before.words, before.params(recipe.train.seed));
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "fovea/models/text_encoder.h"
#include "fovea/nn/params.h"
#include "fovea/text/tokenizer.h"

namespace fovea {

/// The whole path of a model's folder that a setting names, seen from the recipe's folder `base` or
/// else from the current one. If it is in neither, the copy in `kept`, which a run that is resumed
/// has taken along, serves too.
std::filesystem::path earlier_run(std::string_view setting, const std::string& name,
                                  const std::filesystem::path& base,
                                  const std::filesystem::path& kept = {});

/// The same, seen from the recipe's folder if it is there; nothing ("") stays nothing.
std::string located_run(const std::string& name, const std::filesystem::path& base);

struct Pretrained {
  std::filesystem::path folder;
  TextEncoderConfig encoder;
  Tokenizer words;

  /// Errors name the file that is missing or does not fit the others.
  static Pretrained open(const std::string& from, const std::filesystem::path& base);

  /// Its own, but for dropout, which is as `wanted` says. Letters and kinds (which text of a pair)
  /// may be told where it was told none. What else `wanted` says must be so or be left out (as it
  /// is in `unset`): an Error names the setting.
  TextEncoderConfig settings(const TextEncoderConfig& wanted,
                             const TextEncoderConfig& unset = {}) const;
  /// The weights that it has; others are drawn from the seed.
  std::unique_ptr<Params> params(std::uint64_t seed) const;
};

/// Where a run stands that makes a new model.
struct RunPlace {
  std::filesystem::path base;    // the recipe's folder
  std::filesystem::path folder;  // of the run
  bool resume = false;
};

/// The words that a new model reads and the weights that it begins with.
struct Beginning {
  Tokenizer words;
  std::unique_ptr<Params> params;
};

/// The tokenizer that the folder of a resumed run has under this name, or that `learn` gives.
Tokenizer tokenizer_of_run(const RunPlace& place, const std::string& name,
                           const std::function<Tokenizer()>& learn);

/// Drawn weights, and words that the folder of a resumed run has, or that `learn` gives.
Beginning begin_anew(const RunPlace& place, std::uint64_t seed,
                     const std::function<Tokenizer()>& learn);

/// The same, unless `from` names a model to begin with: then `from` becomes its whole path, and
/// `encoder` and `words` what it has.
Beginning begin_with(std::string& from, TextEncoderConfig& encoder, TokenizerConfig& words,
                     const RunPlace& place, std::uint64_t seed,
                     const std::function<Tokenizer()>& learn);

}  // namespace fovea
