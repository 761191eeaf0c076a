#include "fovea/tasks/mask/mask_runner.h"

#include <algorithm>
#include <cmath>

#include "fovea/tasks/encoder_record.h"
#include "fovea/tasks/mask/masked_texts.h"

namespace fovea {
namespace {

constexpr Dim shown = 5;

/// Each line as ids; one that asks for nothing is an Error.
std::vector<Ids> encoded(const MaskedLanguageModel& model, std::span<const std::string> lines,
                         std::vector<bool>& cut) {
  return read_each(lines, [&](const std::string& line) {
    bool here = false;
    Ids ids = model.encode(line, &here);
    cut.push_back(here);
    FOVEA_CHECK(!model.masks_in(ids).empty(), "expected ", mask_name, " in the ",
                here ? concat("first ", model.recipe.data.longest, " tokens of the ") : "",
                "line, found '", line, "'");
    return ids;
  });
}

std::string word_of(const MaskedLanguageModel& model, const FilledToken& token) {
  const std::string word = model.words.decode(std::span(&token.id, 1));
  return word.substr(std::min(word.find_first_not_of(' '), word.size()));
}

/// Lines with "[MASK]" for what the tokenizer calls it, perhaps "<mask>".
std::vector<std::string> named(const MaskedLanguageModel& model,
                               std::span<const std::string> lines) {
  const std::string theirs = model.words.piece(*model.words.control(mask_name));
  std::vector<std::string> all(lines.begin(), lines.end());
  for (std::string& line : all) {
    for (std::size_t at = line.find(theirs); at != std::string::npos;
         at = line.find(theirs, at + mask_name.size())) {
      line.replace(at, theirs.size(), mask_name);
    }
  }
  return all;
}

/// The line with each mask that was read replaced by the likeliest word.
std::string filled_in(const MaskedLanguageModel& model, const std::string& line,
                      const std::vector<std::vector<FilledToken>>& masks) {
  std::string text;
  std::size_t at = 0;
  for (const auto& candidates : masks) {
    const std::size_t mask = line.find(mask_name, at);
    text += line.substr(at, mask - at) + word_of(model, candidates.front());
    at = mask + mask_name.size();
  }
  return text + line.substr(at);
}

}  // namespace

MaskRunner::MaskRunner(const std::filesystem::path& folder,
                       const std::vector<std::string>& settings)
    : model_(MaskedLanguageModel::load(folder, settings, Use::run)) {}

std::vector<Answer> MaskRunner::run_lines(std::span<const std::string> given,
                                          const RunOptions& options) {
  const std::vector<std::string> lines = named(model_, given);
  std::vector<bool> cut;
  const std::vector<Ids> ids = encoded(model_, lines, cut);
  const auto filled = fill_masks(model_, ids, shown, options.progress);
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Answer answer{.text = "",
                  .json = {{"text", lines[i]},
                           {"filled", filled_in(model_, lines[i], filled[i])},
                           {"masks", Json::array()}},
                  .cut = cut[i]};
    if (answer.cut) answer.json["cut"] = true;
    for (const auto& candidates : filled[i]) {
      Json words = Json::array();
      if (!answer.text.empty()) answer.text += " |";
      for (const FilledToken& token : candidates) {
        const std::string word = word_of(model_, token);
        words.push_back({{"word", word}, {"probability", token.probability}});
        answer.text += formatted("%s%s %.3f", answer.text.empty() ? "" : " ", word.c_str(),
                                 static_cast<double>(token.probability));
      }
      answer.json["masks"].push_back(std::move(words));
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

TestResult MaskRunner::test(const TestOptions& options) const {
  expect_plain(options, "mask");
  MaskData data = model_.recipe.data;
  read_from(data, options.part, options.files);
  const MaskedTexts texts(model_, read_corpus(model_, data, options.part, options.base,
                                              std::filesystem::temp_directory_path()));
  const MaskScore score = measure(model_, texts);
  const double loss = score.loss / static_cast<double>(std::max<Dim>(score.asked, 1));
  const std::string how = concat("one fixed masking of ", 100 * model_.recipe.objective.share, "%");
  TestResult result;
  result.reports.push_back(share_report("accuracy", score.right, score.asked, how));
  Report perplexity;
  perplexity.figure = {.name = "perplexity", .value = std::exp(loss), .higher_is_better = false};
  perplexity.text = formatted("perplexity = %.2f (%.4f nats)", std::exp(loss), loss);
  perplexity.signature = how;
  result.reports.push_back(std::move(perplexity));
  if (model_.model.next) {
    result.reports.push_back(share_report("next-accuracy", score.pairs_right, score.pairs,
                                          "whether the second part followed; half of them did"));
  }
  return result;
}

std::vector<RunRecord> MaskRunner::record_lines(std::span<const std::string> lines,
                                                std::span<const std::string> answers,
                                                const RecordOptions& options) {
  FOVEA_CHECK(answers.empty(), "look: a model that fills in masks looks before it answers; ",
              "leave out --answer");
  FOVEA_CHECK(!model_.model.encoder->looks().empty(),
              "look: recurrent layers have no attention to look at");
  std::vector<RunRecord> all;
  for (const std::string& line : named(model_, lines)) all.push_back(record_of(line, options));
  return all;
}

RunRecord MaskRunner::record_of(const std::string& line, const RecordOptions& options) const {
  std::vector<bool> cut;
  const std::vector<Ids> ids = encoded(model_, std::span(&line, 1), cut);
  const auto filled = fill_masks(model_, ids, 1)[0];
  RunRecord record{
      .task = "mask", .input = line, .output = filled_in(model_, line, filled), .cut = cut[0]};
  record_text(*model_.model.encoder, model_.words, ids[0], options, record);
  const std::string last = model_.model.encoder->looks().back();
  record.align(last);
  if (!record.alignment) return record;
  std::size_t mask = 0;
  for (const std::int32_t place : model_.masks_in(ids[0])) {
    record.documents.push_back(shaded_by(
        record, last, concat("for ", word_of(model_, filled[mask++].front())), place, place + 1));
  }
  return record;
}

}  // namespace fovea
