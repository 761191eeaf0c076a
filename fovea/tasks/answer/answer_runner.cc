#include "fovea/tasks/answer/answer_runner.h"

#include <algorithm>

#include "fovea/metrics/ranking.h"
#include "fovea/tasks/answer/answer_metrics.h"
#include "fovea/tasks/answer/answer_record.h"

namespace fovea {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::size_t at = 0, tab = 0;
  do {
    tab = line.find('\t', at);
    fields.push_back(line.substr(at, tab - at));
    at = tab + 1;
  } while (tab != std::string::npos);
  return fields;
}

std::size_t best_of(const std::vector<float>& probabilities) {
  return ranked(probabilities).front();
}

}  // namespace

AnswerRunner::AnswerRunner(const std::filesystem::path& folder,
                           const std::vector<std::string>& settings)
    : model_(AnswerModel::load(folder, settings, Use::run)) {}

ChoiceExample AnswerRunner::choice_of(const std::string& line) const {
  const std::vector<std::string> fields = fields_of(line);
  FOVEA_CHECK(fields.size() >= 2, "this model chooses a sentence: expected a question and, each ",
              "after a tab, sentences, found '", line, "'");
  return {.question = fields[0], .sentences = {fields.begin() + 1, fields.end()}};
}

SpanExample AnswerRunner::span_of(const std::string& line) const {
  const std::vector<std::string> fields = fields_of(line);
  FOVEA_CHECK(fields.size() == 2, "this model answers from a passage: expected a question, a tab ",
              "and the passage, found '", line, "'");
  return {.question = fields[0], .passage = fields[1]};
}

std::vector<Answer> AnswerRunner::run_lines(std::span<const std::string> lines,
                                            const RunOptions& options) {
  return spans() ? run_spans(lines, options) : run_choices(lines, options);
}

std::vector<Answer> AnswerRunner::run_choices(std::span<const std::string> lines,
                                              const RunOptions& options) {
  const auto questions = read_each(lines, [&](const std::string& line) { return choice_of(line); });
  const auto chosen = choose(model_, questions, options.progress);
  std::vector<Answer> answers;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const std::vector<std::string>& sentences = questions[q].sentences;
    Answer answer{.text = sentences[best_of(chosen[q])],
                  .json = {{"question", questions[q].question}, {"answers", Json::array()}}};
    for (const std::size_t i : ranked(chosen[q])) {
      answer.cut = answer.cut || model_.too_long(questions[q].question, sentences[i]);
      answer.json["answers"].push_back({{"text", sentences[i]}, {"probability", chosen[q][i]}});
    }
    if (answer.cut) answer.json["cut"] = true;
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::vector<Answer> AnswerRunner::run_spans(std::span<const std::string> lines,
                                            const RunOptions& options) {
  const auto questions = read_each(lines, [&](const std::string& line) { return span_of(line); });
  const auto found = find_spans(model_, questions, options.progress);
  std::vector<Answer> answers;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const FoundSpan& span = found[q];
    Answer answer{.text = span.text,
                  .json = {{"question", questions[q].question},
                           {"answer", span.text},
                           {"probability", span.probability},
                           {"no_answer", span.none}},
                  .cut = model_.too_long(questions[q].question, questions[q].passage)};
    if (!span.text.empty()) answer.json["begin"] = span.begin, answer.json["end"] = span.end;
    if (answer.cut) answer.json["cut"] = true;
    answers.push_back(std::move(answer));
  }
  return answers;
}

TestResult AnswerRunner::test(const TestOptions& options) const {
  expect_plain(options, "answer");
  AnswerRecipe recipe = model_.recipe;
  read_from(recipe.data, options.part, options.files);
  TestResult result;
  const auto progress = [&](std::size_t all) {
    return [&options, all](Dim done) {
      if (options.progress) options.progress(done, static_cast<Dim>(all));
    };
  };
  if (spans()) {
    const auto questions = read_spans(recipe, options.part, options.base);
    const auto found = find_spans(model_, questions, progress(questions.size()));
    for (const SpanExample& question : questions) result.sources.push_back(question.question);
    for (const FoundSpan& span : found) result.answers.push_back(span.text);
    result.reports = evaluate(questions, found);
    return result;
  }
  const auto questions = read_choices(recipe, options.part, options.base);
  const auto chosen = choose(model_, questions, progress(questions.size()));
  for (std::size_t q = 0; q < questions.size(); ++q) {
    result.sources.push_back(questions[q].question);
    result.answers.push_back(questions[q].sentences[best_of(chosen[q])]);
  }
  result.reports = evaluate(questions, chosen);
  return result;
}

std::vector<RunRecord> AnswerRunner::record_lines(std::span<const std::string> lines,
                                                  std::span<const std::string> answers,
                                                  const RecordOptions& options) {
  FOVEA_CHECK(answers.empty(), "look: a model that answers from texts looks before it answers; ",
              "leave out --answer");
  std::vector<RunRecord> all;
  for (const std::string& line : lines) {
    all.push_back(spans() ? record_of(model_, span_of(line), options)
                          : record_of(model_, choice_of(line), options));
    all.back().input = line;
  }
  return all;
}

}  // namespace fovea
