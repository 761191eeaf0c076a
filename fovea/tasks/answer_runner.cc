#include "fovea/tasks/answer_runner.h"

#include <algorithm>

#include "fovea/attention/probe.h"
#include "fovea/metrics/ranking.h"
#include "fovea/tasks/answer_metrics.h"

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
    : model_(AnswerModel::load(folder, settings)) {
  model_.params->pack();
}

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

std::vector<Answer> AnswerRunner::run(std::span<const std::string> lines,
                                      const RunOptions& options) {
  expect_plain(options, "a model that answers from texts");
  return spans() ? run_spans(lines, options) : run_choices(lines, options);
}

std::vector<Answer> AnswerRunner::run_choices(std::span<const std::string> lines,
                                              const RunOptions& options) {
  std::vector<ChoiceExample> questions;
  for (const std::string& line : lines) questions.push_back(choice_of(line));
  const auto chosen = choose(model_, questions, options.progress);
  std::vector<Answer> answers;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const std::vector<std::string>& sentences = questions[q].sentences;
    Answer answer{.text = sentences[best_of(chosen[q])],
                  .json = {{"question", questions[q].question}, {"answers", Json::array()}}};
    for (const std::size_t i : ranked(chosen[q])) {
      answer.cut = answer.cut || model_.too_long(sentences[i]);
      answer.json["answers"].push_back({{"text", sentences[i]}, {"probability", chosen[q][i]}});
    }
    if (answer.cut) answer.json["cut"] = true;
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::vector<Answer> AnswerRunner::run_spans(std::span<const std::string> lines,
                                            const RunOptions& options) {
  std::vector<SpanExample> questions;
  for (const std::string& line : lines) questions.push_back(span_of(line));
  const auto found = find_spans(model_, questions, options.progress);
  std::vector<Answer> answers;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const FoundSpan& span = found[q];
    Answer answer{.text = span.text,
                  .json = {{"question", questions[q].question},
                           {"answer", span.text},
                           {"probability", span.probability},
                           {"no_answer", span.none}},
                  .cut = model_.too_long(questions[q].passage)};
    if (!span.text.empty()) answer.json["begin"] = span.begin, answer.json["end"] = span.end;
    if (answer.cut) answer.json["cut"] = true;
    answers.push_back(std::move(answer));
  }
  return answers;
}

TestResult AnswerRunner::test(const TestOptions& options) {
  expect_plain(options, "a model that answers from texts");
  AnswerRecipe recipe = model_.recipe;
  if (!options.files.empty()) {
    (options.part == Part::dev ? recipe.data.dev : recipe.data.test) = options.files;
    if (recipe.data.train.empty()) recipe.data.train = options.files;
  }
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

std::vector<Looked> AnswerRunner::look(std::span<const std::string> lines,
                                       std::span<const std::string> answers, bool) {
  FOVEA_CHECK(answers.empty(), "look: a model that answers from texts looks before it answers; ",
              "leave out --answer");
  std::vector<Looked> all;
  for (const std::string& line : lines) {
    all.push_back(spans() ? look_at_passage(span_of(line)) : look_at_choices(choice_of(line)));
  }
  return all;
}

void AnswerRunner::add_maps(Looked& looked, const AnswerPair& pair,
                            std::vector<std::string> question,
                            const std::vector<std::string>& text) const {
  const std::vector<std::string> layers = model_.answerer.encoder->looks();
  if (layers.empty()) return;
  const NoTape no_tape;
  Probe probe({.where = layers.back()});
  (*model_.answerer.encoder)(model_.answerer.rows_of(std::span(&pair, 1)), {.probe = &probe});
  question.insert(question.begin(), "<s>");
  question.emplace_back("</s>");
  question.insert(question.end(), text.begin(), text.end());
  looked.maps = maps_of(probe, 0, question, question);
}

Looked AnswerRunner::look_at_choices(const ChoiceExample& question) const {
  const std::vector<float> chosen = choose(model_, std::span(&question, 1)).front();
  const std::size_t best = best_of(chosen);
  const std::string& answer = question.sentences[best];
  Looked looked{.line = question.question, .answer = answer};
  DocumentHeat heat{.title = "sentences by their probability", .sentences = {}};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::vector<std::string> words = model_.words.pieces(question.sentences[i]);
    heat.sentences.push_back({chosen[i], words, std::vector<float>(words.size(), chosen[i])});
  }
  looked.documents.push_back(std::move(heat));
  const Ids asked = model_.encode(question.question), told = model_.encode(answer);
  std::vector<std::string> asked_words = model_.words.pieces(question.question);
  std::vector<std::string> told_words = model_.words.pieces(answer);
  asked_words.resize(asked.size());
  told_words.resize(told.size());
  add_maps(looked, {asked, told}, asked_words, told_words);
  return looked;
}

Looked AnswerRunner::look_at_passage(const SpanExample& question) const {
  const FoundSpan found = std::move(find_spans(model_, std::span(&question, 1)).front());
  Looked looked{.line = question.question,
                .answer = found.text.empty() ? "(the passage does not say)" : found.text};
  const EncodedPassage passage = model_.encode_passage(question.passage);
  std::vector<std::string> words, tokens;
  for (const PlacedWord& word : passage.words) words.emplace_back(word.text);
  looked.documents.push_back(
      {concat("where it begins or ends; none: ", found.none), {{1, words, found.words}}});
  for (std::size_t i = 0; i < passage.ids.size(); ++i) tokens.push_back(words[passage.word[i]]);
  const Ids asked = model_.encode(question.question);
  std::vector<std::string> asked_words = model_.words.pieces(question.question);
  asked_words.resize(asked.size());
  add_maps(looked, {asked, passage.ids}, asked_words, tokens);
  return looked;
}

}  // namespace fovea
