#include "fovea/tasks/translate/translate_runner.h"

#include "fovea/data/find_data.h"
#include "fovea/tasks/idle_settings.h"
#include "fovea/tasks/translate/translate_alignment.h"
#include "fovea/tasks/translate/translate_data.h"
#include "fovea/tasks/translate/translate_metrics.h"
#include "fovea/tasks/translate/translate_record.h"

namespace fovea {
namespace {

/// What is asked of one translation.
struct TranslateRequest {
  std::string head = {};    // of a model with several
  std::string prefix = {};  // what the translation must begin with
  bool align = false;       // also give the source word of each target word

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("head", head);
    visit("prefix", prefix);
    visit("align", align);
  }
};

}  // namespace

TranslateRunner::TranslateRunner(const std::filesystem::path& folder,
                                 const std::vector<std::string>& settings)
    : model_(TranslationModel::load(folder, settings, Use::run)) {}

std::vector<std::string> TranslateRunner::notes(std::span<const std::string> settings) const {
  const TranslateDecode& decode = model_.recipe.decode;
  std::vector<std::string> notes = idle_settings(decode, settings);
  if (is_set(settings, "decode.second") && decode.rerank == 0) {
    notes.emplace_back("decode.second has no effect without --set decode.rerank=0.5");
  }
  if (decode.rerank > 0 && decode.n_best == 1 &&
      (is_set(settings, "decode.rerank") || is_set(settings, "decode.n_best"))) {
    notes.emplace_back("decode.rerank has one answer to rank; add --beam 10 --n-best 10");
  }
  return notes;
}

std::vector<Answer> TranslateRunner::run(std::span<const Input> inputs,
                                         const RunOptions& options) const {
  const auto requests =
      read_each(inputs, [](const Input& input) { return request_of<TranslateRequest>(input); });
  const TranslateRequest request = requests.empty() ? TranslateRequest() : requests.front();
  const std::vector<std::string> lines = texts_of(inputs);
  const auto translations = translate(model_, lines,
                                      {.decode = model_.recipe.decode,
                                       .head = request.head,
                                       .prefix = request.prefix,
                                       .first = options.first,
                                       .progress = options.progress});
  FOVEA_CHECK(!request.align || request.head.empty(), "run: alignments are those of the target ",
              "itself, not of the head '", request.head, "'");
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Answer answer{.text = {},
                  .json = {{"source", lines[i]}, {"answers", Json::array()}},
                  .cut = translations[i].cut};
    if (answer.cut) answer.json["cut"] = true;
    for (const WrittenText& one : translations[i].texts) {
      if (&one != &translations[i].texts.front()) answer.text += "\n";
      answer.text += one.text;
      Json json = {
          {"text", one.text}, {"score", one.score}, {"log_probability", one.log_probability}};
      if (request.align) {
        const std::string links = word_links(model_, {model_.encode_source(lines[i]), one.ids});
        answer.text += "\t" + links;
        json["alignment"] = links;
      }
      answer.json["answers"].push_back(std::move(json));
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::vector<RunRecord> TranslateRunner::record(std::span<const Input> inputs,
                                               std::span<const std::string> answers,
                                               const RecordOptions& options) const {
  expect_answers(inputs.size(), answers);
  const std::vector<std::string> lines = texts_of(inputs);
  std::vector<IdPair> pairs;
  if (answers.empty()) {
    const auto found = translate(model_, lines, {.decode = model_.recipe.decode});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      pairs.push_back({model_.encode_source(lines[i]), found[i].texts.front().ids});
    }
  } else {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      pairs.push_back({model_.encode_source(lines[i]), model_.target.encode(answers[i])});
    }
  }
  std::vector<RunRecord> records = records_of(model_, pairs, options);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    records[i].input = lines[i];
    records[i].cut = model_.too_long(lines[i]);
  }
  return records;
}

TestResult TranslateRunner::test(const TestOptions& options) const {
  TranslateData data = model_.recipe.data;
  read_from(data, options.part, options.files);
  const bool join = asks_once(model_.recipe.evaluate) && options.links.empty();
  const TestSet set = read_test_set(data, options.part, options.base, join);
  const auto all = static_cast<Dim>(set.sources.size());
  TranslateOptions how{.decode = model_.recipe.decode};
  if (options.progress) how.progress = [&](Dim done) { options.progress(done, all); };
  TestResult result;
  result.sources = set.sources;
  result.answers = best_of(translate(model_, set.sources, how));
  result.reports = evaluate(set.sources, result.answers, set.references, model_.recipe.evaluate);
  if (!options.lengths.empty()) {
    for (Report& report : evaluate_by_length(set.sources, result.answers, set.references,
                                             options.lengths, model_.recipe.evaluate)) {
      result.reports.push_back(std::move(report));
    }
  }
  if (!options.links.empty()) {
    result.reports.push_back(alignment_report(model_, set, resolve(options.links, options.base)));
  }
  return result;
}

}  // namespace fovea
