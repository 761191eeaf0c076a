#include "fovea/tasks/classify/classify_runner.h"

#include "fovea/metrics/classification.h"
#include "fovea/tasks/classify/classify_data.h"
#include "fovea/tasks/classify/classify_record.h"

namespace fovea {
namespace {

std::vector<Report> reports_of(const Confusion& confusion, const ClassificationModel& model) {
  const auto count = [](Dim n) { return static_cast<long long>(n); };
  std::vector<Report> reports;
  reports.push_back(
      share_report("accuracy", confusion.right(), confusion.total(), "the likeliest class"));
  reports.push_back({{"macro-f1", 100 * confusion.macro_f1(), true},
                     formatted("macro F1 = %.2f %%", 100 * confusion.macro_f1()),
                     "mean of the classes"});
  for (Dim c = 0; c < confusion.classes(); ++c) {
    const ClassScore score = confusion.score(c);
    reports.push_back(
        {{"f1." + model.name(c), 100 * score.f1(), true},
         formatted("  F1 = %.2f %%, precision %.2f %%, recall %.2f %%, of %lld", 100 * score.f1(),
                   100 * score.precision(), 100 * score.recall(), count(score.given)),
         model.name(c)});
  }
  return reports;
}

}  // namespace

ClassifyRunner::ClassifyRunner(const std::filesystem::path& folder,
                               const std::vector<std::string>& settings)
    : model_(ClassificationModel::load(folder, settings, Use::run)) {}

TextPair ClassifyRunner::text_of(const std::string& line) const {
  if (!model_.pairs()) return {line};
  const std::size_t tab = line.find('\t');
  FOVEA_CHECK(tab != std::string::npos, "this model reads two texts: expected a line with a tab ",
              "between them, found '", line, "'");
  return {line.substr(0, tab), line.substr(tab + 1)};
}

std::vector<Answer> ClassifyRunner::run_lines(std::span<const std::string> lines,
                                              const RunOptions& options) {
  const auto texts = read_each(lines, [&](const std::string& line) { return text_of(line); });
  const auto probabilities = classify(model_, texts, options.progress);
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const TextPair& text = texts[i];
    Answer answer{
        .text = model_.name(best_of(probabilities[i])),
        .json = {{"text", text.first}, {"answer", model_.name(best_of(probabilities[i]))}},
        .cut = model_.too_long(text.first) || model_.too_long(text.second)};
    if (model_.pairs()) answer.json["second"] = text.second;
    if (answer.cut) answer.json["cut"] = true;
    for (std::size_t c = 0; c < probabilities[i].size(); ++c) {
      answer.json["probabilities"][model_.name(static_cast<Dim>(c))] = probabilities[i][c];
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

TestResult ClassifyRunner::test(const TestOptions& options) const {
  expect_plain(options, "classify");
  ClassifyRecipe recipe = model_.recipe;
  read_from(recipe.data, options.part, options.files);
  const auto examples = read_labelled(recipe, options.part, options.base);
  std::vector<TextPair> texts;
  TestResult result;
  for (const LabelledText& example : examples) {
    texts.push_back(example.text);
    result.sources.push_back(example.text.first);
  }
  const auto all = static_cast<Dim>(texts.size());
  const auto probabilities = classify(model_, texts, [&](Dim done) {
    if (options.progress) options.progress(done, all);
  });
  Confusion confusion(model_.recipe.model.classes);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Dim answer = best_of(probabilities[i]);
    confusion.add(examples[i].label, answer);
    result.answers.push_back(model_.name(answer));
  }
  result.reports = reports_of(confusion, model_);
  return result;
}

std::vector<RunRecord> ClassifyRunner::record_lines(std::span<const std::string> lines,
                                                    std::span<const std::string> answers,
                                                    const RecordOptions& options) {
  FOVEA_CHECK(answers.empty(), "look: a model that classifies looks before it answers; ",
              "leave out --answer");
  std::vector<RunRecord> all;
  for (const std::string& line : lines) {
    const TextPair text = text_of(line);
    all.push_back(record_of(model_, text, options));
    const RunRecord& one = all.back();
    FOVEA_CHECK(!one.layers.empty() || !one.documents.empty() || options.layers != "*",
                "look: this model has no attention; of pairs, attentive and word-by-word have, ",
                "of encoders those with pooling = \"attention\" or \"max\"");
    all.back().input = line;
    all.back().cut = model_.too_long(text.first) || model_.too_long(text.second);
  }
  return all;
}

}  // namespace fovea
