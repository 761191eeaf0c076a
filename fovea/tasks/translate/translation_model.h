/// The task "translate": a line of text goes in, a line comes out. The model with all that stands
/// beside it in its folder:
///
///   config.json          the recipe, with everything that it left to defaults
///   model.safetensors    the weights
///   source.json, ...     the tokenizers; `target` is not there if one serves both sides
///   neighbours.tsv       pairs that sources are read beside, with data.neighbours
///   second/, second-2/   the translators whose scores rank what this one finds, if any do
///
/// Shapes: N target rows of a batch, V vocabulary.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/data/neighbour_reader.h"
#include "fovea/models/encoder_decoder.h"
#include "fovea/tasks/example_task.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/tasks/translate/translate_recipe.h"

namespace fovea {

struct TranslateExample {
  Ids source = {};              // with what its neighbours have, and the end
  Ids target = {};              // bare
  std::vector<Ids> heads = {};  // the targets of further heads
  Ids links = {};  // of alignments: target piece, source piece, target piece, ...; rising
  std::array<std::string, 2> texts = {};  // source and target, if pieces are cut anew in each epoch
  Dim lag = -1;                           // of the batch that it is in; -1: the model's

  template <class V>
  void columns(V& visit) {
    visit(source), visit(target), visit(heads), visit(links), visit(texts[0]), visit(texts[1]);
  }
};

struct TranslateQuery {
  TranslateExample example;
};

/// Targets of a batch as one decoder writes them.
struct WrittenTargets {
  const OutputLayer* out = nullptr;
  Sequences given;  // first, y_1, ..., y_T: what the decoder reads
  Tensor wanted;    // y_1, ..., y_T, end: what it should write, (N)
  Decoded decoded;
  Var loss;  // in a forward pass: the sum of -log P(wanted), smoothed in training
};

struct TranslateForward {
  Encoded source;
  /// The target, or with TargetDirection::both the target in each direction; then the heads.
  std::vector<WrittenTargets> targets;
};

/// A further decoder on the same encoder.
struct DecoderHead {
  std::string name;
  Tokenizer text;
  std::unique_ptr<Decoder> decoder;
};

struct TranslationModel : ExampleTask<TranslateRecipe> {
  static constexpr std::string_view name = "translate";
  using Example = TranslateExample;
  using Query = TranslateQuery;
  using Forward = TranslateForward;

  Tokenizer source, target;
  std::shared_ptr<const NeighbourReader> neighbours;  // null without data.neighbours
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

  TranslationModel(TranslateRecipe recipe, TokenizerMap texts, std::unique_ptr<Params> params);
  static TranslationModel make(TranslateRecipe recipe, const RunPlace& place);
  /// Errors name the file that is missing, cut off or does not fit the others.
  static TranslationModel load(const std::filesystem::path& folder,
                               const std::vector<std::string>& settings = {}, Use use = Use::train);
  static std::vector<NeededTokenizer> needed_tokenizers(const TranslateRecipe& recipe);
  static void locate(TranslateRecipe& recipe, const std::filesystem::path& base);
  std::vector<std::string> save_rest(const std::filesystem::path& folder) const;

  Dim model_width() const { return width_of(recipe.model.config); }
  void read(const TranslateData& data, Part part, ExampleSink<Query>& sink) const;
  Dim rows(const Example& example) const;
  Example view(const Examples<Example>& examples, const Visit& visit) const;
  Forward forward(Batch<Example> batch, const Pass& pass) const;
  std::vector<Objective<TranslationModel>> objectives() const;
  /// Runs the decoder over targets that it is told.
  WrittenTargets write(const Encoded& source, const std::vector<Ids>& targets, bool reverse,
                       const Pass& pass, const DecoderOptions& options) const;
  void show(std::span<const Query> queries, const Examples<Example>&, ShownExamples& shown) const;

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
  static Ids never_written(const Tokenizer& text);
  /// What a target begins with: the beginning, or the sign for right to left.
  std::int32_t first(bool reverse) const;

 private:
  /// From now on the models in these folders rank what it finds, and are saved with it.
  void take_seconds(const std::vector<std::filesystem::path>& from);
};

}  // namespace fovea
