/// The task "language": a text goes in, and what may follow it comes out. Learned from plain text,
/// token by token.
#pragma once

#include "fovea/data/stretches.h"
#include "fovea/decode/search.h"
#include "fovea/metrics/perplexity.h"
#include "fovea/models/language_model.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/language/text_flow.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/trained_model.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// Files of a part are read one after the other. The shares of `split` are taken by position: the
/// test set is the end of the text, the dev set stands before it.
using LanguageData = DataParts;

/// How a text is measured; every token counts.
struct LanguageEvaluation {
  /// Transformers: windows of batch.context tokens, each so many after the one before. As many as
  /// the context (0): side by side, so that the first tokens of each know little. Fewer: better,
  /// and slower.
  Dim stride = 0;
  /// Recurrent models: the text is read as so many streams at the same time, each from the
  /// beginning. One is exact, several are faster.
  Dim streams = 10;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("stride", stride);
    visit("streams", streams);
  }
};

struct LanguageDecode : DecodeConfig {
  LanguageDecode() { search = Search::sample, max_length = 500; }  // without the prompt

  std::vector<std::string> stop = {};  // what ends a text; it is no part of it

  template <class Visitor>
  void fields(Visitor& visit) {
    DecodeConfig::fields(visit);
    visit("stop", stop);
  }
};

struct LanguageRecipe : RecipeHeader {
  LanguageRecipe() { task = "language"; }

  LanguageData data;
  TokenizerConfig text = {
      .kind = TokenizerKind::characters, .vocabulary = 0, .form = TextForm::none};
  StretchConfig batch;
  LanguageModelConfig model;
  TrainConfig train;
  LanguageEvaluation evaluate;
  LanguageDecode decode;

  template <class Visitor>
  void fields(Visitor& visit) {
    RecipeHeader::fields(visit);
    visit("data", data);
    visit("text", text);
    visit("batch", batch);
    visit("model", model);
    visit("train", train);
    visit("evaluate", evaluate);
    visit("decode", decode);
  }
};

/// An Error that names the key, if settings contradict each other or no model can have them.
void check(const LanguageDecode& decode);
void check(const LanguageRecipe& recipe);

struct WritingModel : TrainedModel<LanguageRecipe> {
  static constexpr std::string_view name = "language";

  TextFlow text;
  LanguageModel net;

  WritingModel(LanguageRecipe recipe, TokenizerMap tokenizers, std::unique_ptr<Params> params);
  static WritingModel make(LanguageRecipe recipe, const RunPlace& place);
  static std::vector<NeededTokenizer> needed_tokenizers(const LanguageRecipe& recipe) {
    return {{"text", recipe.model.vocabulary}};
  }
  static LanguageRecipe older();
  static void complete(LanguageRecipe&) {}
  static void locate(LanguageRecipe& recipe, const std::filesystem::path& base) {
    fovea::locate(recipe.data, base);
  }

  bool recurrent() const { return recipe.model.family == TextFamily::recurrent; }
  /// Tokens that it can attend to at once; 0: there is no limit.
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

/// To which earlier tokens each token of a line attended, and, if there is one, of the answer after
/// it; without one, the output is the likeliest next token. As much is read as the context holds.
RunRecord record_of(const WritingModel& model, const std::string& line, const std::string* answer,
                    const RecordOptions& options);

/// Runs a trained model, for its entry in the table of tasks.
std::unique_ptr<Runner> load_language_runner(const std::filesystem::path& model,
                                             const std::vector<std::string>& settings);

}  // namespace fovea
