#include "fovea/tasks/runner.h"

#include "fovea/tasks/answer/answer_runner.h"
#include "fovea/tasks/classify/classify_runner.h"
#include "fovea/tasks/cloze/cloze_runner.h"
#include "fovea/tasks/elmo/elmo_runner.h"
#include "fovea/tasks/embed/embed_runner.h"
#include "fovea/tasks/language/language_runner.h"
#include "fovea/tasks/mask/mask_runner.h"
#include "fovea/tasks/recipe.h"
#include "fovea/tasks/tag/tag_runner.h"
#include "fovea/tasks/translate/translate_runner.h"

namespace fovea {

std::unique_ptr<Runner> Runner::load(const std::filesystem::path& folder,
                                     const std::vector<std::string>& settings) {
  switch (task_of_model(folder)) {
    case TaskKind::answer:
      return std::make_unique<AnswerRunner>(folder, settings);
    case TaskKind::classify:
      return std::make_unique<ClassifyRunner>(folder, settings);
    case TaskKind::cloze:
      return std::make_unique<ClozeRunner>(folder, settings);
    case TaskKind::elmo:
      return std::make_unique<ElmoRunner>(folder, settings);
    case TaskKind::language:
      return std::make_unique<LanguageRunner>(folder, settings);
    case TaskKind::tag:
      return std::make_unique<TagRunner>(folder, settings);
    case TaskKind::embed:
      return std::make_unique<EmbedRunner>(folder, settings);
    case TaskKind::mask:
      return std::make_unique<MaskRunner>(folder, settings);
    case TaskKind::translate:
      return std::make_unique<TranslateRunner>(folder, settings);
  }
  fail(folder.string(), ": a model of an unknown task");
}

ProbeConfig RecordOptions::probe() const {
  // The largest of words are not those of pieces: all are kept until they are joined.
  return {.where = layers,
          .keep = words ? Keep::all : keep,
          .top = top,
          .heads = heads,
          .limit = limit,
          .or_top = true};
}

std::unique_ptr<LiveAnswer> Runner::live() {
  fail("live: this model answers when the text has ended");
}

void expect_plain(const RunOptions& options, std::string_view model) {
  FOVEA_CHECK(options.head.empty() && options.prefix.empty() && !options.align, "run: ", model,
              " has no heads, prefixes or alignments; `fovea look` shows where it looked");
  FOVEA_CHECK(options.nearest.empty(), "run: ", model, " makes no vectors to search by");
}

void expect_plain(const TestOptions& options, std::string_view model) {
  FOVEA_CHECK(options.links.empty(), "eval: ", model, " has no alignment to measure");
  FOVEA_CHECK(options.lengths.empty(), "eval: ", model, " is not measured by length; ",
              "--by-length works for models of the task translate");
}

void expect_answers(std::span<const std::string> lines, std::span<const std::string> answers) {
  FOVEA_CHECK(answers.empty() || answers.size() == lines.size(), "look: ", lines.size(),
              " lines, but ", answers.size(), " answers");
}

void expect_layers(const RunRecord& record, const RecordOptions& options,
                   std::span<const std::string> there_are) {
  if (!record.layers.empty() || options.layers == "*") return;
  std::string names;
  for (const std::string& name : there_are) names += concat(names.empty() ? "" : ", ", name);
  fail("look: no layer of this model is called '", options.layers, "'; among others there are ",
       names.empty() ? "none" : names);
}

}  // namespace fovea
