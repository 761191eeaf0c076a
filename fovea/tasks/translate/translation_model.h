/// A model that translates, with all that stands around it in its folder:
///
///   config.json          the recipe, with everything that it left to defaults
///   model.safetensors    the weights
///   source.json, ...     the tokenizers; `target` is not there if one serves both sides
///   neighbours.tsv       pairs that sources are read beside, with data.neighbours
///   second/, second-2/   the translators whose scores rank what this one finds, if any do
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/models/encoder_decoder.h"
#include "fovea/tasks/translate/neighbour_reader.h"
#include "fovea/tasks/translate/translate_recipe.h"

namespace fovea {

/// A further decoder on the same encoder.
struct DecoderHead {
  std::string name;
  Tokenizer text;
  std::unique_ptr<Decoder> decoder;
};

/// Where the folder of a model has the translator `number`, from 0 on, of those that rank.
std::string second_folder(std::size_t number);

struct TranslationModel {
  TranslateRecipe recipe;
  Tokenizer source, target;
  std::shared_ptr<const NeighbourReader> neighbours;  // null without data.neighbours
  std::unique_ptr<Params> params;
  EncoderDecoder net;
  std::vector<DecoderHead> heads;
  /// Those that rank what this one finds (decode.second), and where they were found.
  struct Second {
    std::shared_ptr<const TranslationModel> model;
    std::filesystem::path from;
  };
  std::vector<Second> seconds;

  /// The control symbol that stands at the beginning of targets written from right to left.
  static constexpr std::string_view reverse_symbol = "<r2l>";

  /// `head_texts`: a tokenizer for each head of the recipe.
  TranslationModel(TranslateRecipe recipe, Tokenizer source, Tokenizer target,
                   std::vector<Tokenizer> head_texts, std::unique_ptr<Params> params);
  /// Errors name the file that is missing, cut off or does not fit the others.
  static TranslationModel load(const std::filesystem::path& folder,
                               const std::vector<std::string>& settings = {}, Use use = Use::train);
  /// From now on the models in these folders rank what it finds, and are saved with it.
  void take_seconds(const std::vector<std::filesystem::path>& from);
  /// Writes all but the weights; returns the names of these files and folders.
  std::vector<std::string> save_rest(const std::filesystem::path& folder) const;

  /// A source as the encoder reads it: at most `longest` pieces, what its neighbours have, the end.
  Ids encode_source(std::string_view line) const;
  /// A source without its end and what its neighbours have.
  std::span<const std::int32_t> own(const Ids& source) const;
  /// Whether encode_source leaves something out.
  bool too_long(std::string_view line) const;
  /// The one of decoder.cross_attention(), and its head, whose weights say which source a target
  /// came from; layer -1: there is none, head -1: the mean of all.
  Dim alignment_layer() const;
  Dim alignment_head() const;
  /// The name of that layer of a decoder (the target's, or a head's); "" if there is none.
  std::string alignment_layer_of(const Decoder& decoder) const;
  /// Ids that no target has: the unknown, the beginning, control symbols.
  Ids never_written() const { return never_written(target); }
  static Ids never_written(const Tokenizer& text);
  /// What a target begins with: the beginning, or the sign for right to left.
  std::int32_t first(bool reverse) const;
};

}  // namespace fovea
