/// A model that translates, with all that stands around it in its folder:
///
///   config.json          the recipe, with everything that it left to defaults
///   model.safetensors    the weights
///   source.json, ...     the tokenizers; `target` is not there if one serves both sides
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/models/transformer.h"
#include "fovea/tasks/translate_recipe.h"

namespace fovea {

/// A further decoder on the same encoder.
struct DecoderHead {
  std::string name;
  Tokenizer text;
  TransformerDecoder decoder;
};

struct TranslationModel {
  TranslateRecipe recipe;
  Tokenizer source, target;
  std::unique_ptr<Params> params;
  Transformer transformer;
  std::vector<DecoderHead> heads;

  /// The control symbol that stands at the beginning of targets written from right to left.
  static constexpr std::string_view reverse_symbol = "<r2l>";

  /// `head_texts`: a tokenizer for each head of the recipe.
  TranslationModel(TranslateRecipe recipe, Tokenizer source, Tokenizer target,
                   std::vector<Tokenizer> head_texts, std::unique_ptr<Params> params);
  /// Errors name the file that is missing, cut off or does not fit the others.
  static TranslationModel load(const std::filesystem::path& folder,
                               const std::vector<std::string>& settings = {});
  /// All but the weights.
  void save_rest(const std::filesystem::path& folder) const;

  /// A source as the encoder reads it: at most `longest` pieces, then the end.
  Ids encode_source(std::string_view line) const;
  /// Whether encode_source leaves something out.
  bool too_long(std::string_view line) const;
  /// The layer and head whose attention says which source a target came from; head -1: their mean.
  Dim alignment_layer() const;
  Dim alignment_head() const;
  /// Ids that no target has: the unknown, the beginning, control symbols.
  Ids never_written() const { return never_written(target); }
  static Ids never_written(const Tokenizer& text);
  /// What a target begins with: the beginning, or the sign for right to left.
  std::int32_t first(bool reverse) const;
};

}  // namespace fovea
