#include "fovea/tasks/answer/answer_workload.h"

#include <algorithm>

#include "fovea/models/cloze_reader.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/segment.h"
#include "fovea/tasks/answer/answer_metrics.h"
#include "fovea/tasks/answer/answer_record.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/shown_examples.h"

namespace fovea {
namespace {

// The fields of an example. choice: question; all sentences; their lengths; numbers of those that
// answer. span: question; passage; places of begins and of ends among the passage's tokens, from 1;
// 0: no answer. `pairs`: nothing but what the example costs, one id a row.
constexpr Dim question_field = 0, text_field = 1, first_field = 2, second_field = 3, cost_field = 4;
constexpr double least = 1e-10;  // of a probability, so that its logarithm is one

Tokenizer learned_words(const AnswerRecipe& recipe, const std::filesystem::path& base) {
  const DataParts& data = recipe.data;
  auto reader = std::make_shared<PartReader>(data, Part::train, base);
  auto fields = std::make_shared<std::vector<std::string>>();
  auto text_next = std::make_shared<bool>(false);
  auto before = std::make_shared<std::string>();  // a question counts once
  const auto lines = [=](std::string& line) {
    if (*text_next) {
      *text_next = false;
      line = (*fields)[1];
      return true;
    }
    if (!reader->next(*fields)) return false;
    FOVEA_CHECK(fields->size() == 3, "data.train: expected three files, found ", fields->size());
    if ((*fields)[0] == *before) {
      line = (*fields)[1];
      return true;
    }
    *before = (*fields)[0];
    *text_next = true;
    line = *before;
    return true;
  };
  return learn_tokenizer(recipe.words, lines, data);
}

AnswerModel new_model(AnswerRecipe recipe, const std::filesystem::path& base,
                      const std::filesystem::path& folder, bool resume) {
  locate(recipe.data, base);
  auto [words, params] =
      begin_with(recipe.model.from, recipe.model.encoder, recipe.words, {base, folder, resume},
                 recipe.train.seed, [&] { return learned_words(recipe, base); });
  return {std::move(recipe), std::move(words), std::move(params)};
}

/// What should be answered; "" if no sentence does.
std::string right_answer(const ChoiceExample& question) {
  const auto at = std::find(question.right.begin(), question.right.end(), true);
  if (at == question.right.end()) return "";
  return question.sentences[static_cast<std::size_t>(at - question.right.begin())];
}
std::string right_answer(const SpanExample& question) {
  return question.answers.empty() ? std::string(not_said) : question.texts().front();
}

Var minus_log(const Var& probability) {
  return scale(sum(log(add_scalar(probability, least))), -1);
}

}  // namespace

AnswerWorkload::AnswerWorkload(const AnswerRecipe& recipe, const std::filesystem::path& base,
                               const std::filesystem::path& folder, bool resume)
    : model_(new_model(recipe, base, folder, resume)) {
  std::filesystem::create_directories(folder);
  const AnswerRecipe& known = model_.recipe;
  CorpusBuilder corpus(folder, 5, false);
  if (spans()) {
    add_spans(read_spans(known, Part::train, base), corpus);
    if (has_part(known.data, Part::dev)) dev_spans_ = read_spans(known, Part::dev, base);
  } else {
    const std::vector<ChoiceExample> questions = read_choices(known, Part::train, base);
    add_choices(questions, corpus);
    std::vector<Ids> sentences;
    for (const ChoiceExample& question : questions) {
      for (const std::string& one : question.sentences) sentences.push_back(model_.encode(one, 0));
    }
    model_.answerer.count(sentences);
    if (has_part(known.data, Part::dev)) dev_choices_ = read_choices(known, Part::dev, base);
  }
  take(corpus.finish(), std::nullopt, {cost_field}, known.batch, known.data.train.front());
  FOVEA_CHECK(examples() > 0, "data.train: no question of it has an answer");
}

void AnswerWorkload::add_choices(std::span<const ChoiceExample> questions, CorpusBuilder& corpus) {
  for (const ChoiceExample& question : questions) {
    left_out().count(question.answered() ? "" : "no sentence answers the question");
    if (!question.answered()) continue;
    const Ids asked = model_.encode_question(question.question);
    Ids all, lengths, right;
    Dim rows = 0;
    for (std::size_t i = 0; i < question.sentences.size(); ++i) {
      const Ids ids = model_.encode(question.sentences[i], asked.size());
      all.insert(all.end(), ids.begin(), ids.end());
      rows += model_.rows_of(asked, ids);
      lengths.push_back(static_cast<std::int32_t>(ids.size()));
      if (question.right[i]) right.push_back(static_cast<std::int32_t>(i));
    }
    const Ids cost(static_cast<std::size_t>(rows), 0);
    corpus.add(std::vector<Ids>{asked, all, lengths, right, cost}, {}, question.line);
  }
}

void AnswerWorkload::add_spans(std::span<const SpanExample> questions,
                               CorpusBuilder& corpus) const {
  for (const SpanExample& question : questions) {
    const Ids asked = model_.encode_question(question.question);
    const EncodedPassage passage = model_.encode_passage(question.passage, asked.size());
    Ids begins, ends;
    for (const SpanExample::Range& answer : question.answers) {
      std::int32_t begin = 0, end = 0;  // the tokens that touch the answer
      for (std::size_t i = 0; i < passage.ids.size(); ++i) {
        const PlacedWord& word = passage.words[passage.word[i]];
        if (word.end <= answer.begin || word.begin >= answer.end) continue;
        end = static_cast<std::int32_t>(i) + 1;
        if (begin == 0) begin = end;
      }
      if (begin == 0) continue;  // beyond what is read
      if (std::find(begins.begin(), begins.end(), begin) == begins.end()) begins.push_back(begin);
      if (std::find(ends.begin(), ends.end(), end) == ends.end()) ends.push_back(end);
    }
    if (begins.empty()) begins = ends = {0};
    const Ids cost(static_cast<std::size_t>(model_.rows_of(asked, passage.ids)), 0);
    corpus.add(std::vector<Ids>{asked, passage.ids, begins, ends, cost}, {}, question.line);
  }
}

Var AnswerWorkload::choice_loss(std::span<const std::uint32_t> examples, const Pass& pass) const {
  std::vector<AnswerPair> pairs;
  std::vector<Dim> counts;
  std::vector<Ids> right;
  for (const std::uint32_t e : examples) {
    const auto first = static_cast<std::int32_t>(pairs.size());
    std::span<const std::int32_t> rest = train().ids(e, text_field);
    for (const std::int32_t length : train().ids(e, first_field)) {
      pairs.push_back(
          {train().ids(e, question_field), rest.first(static_cast<std::size_t>(length))});
      rest = rest.subspan(static_cast<std::size_t>(length));
    }
    counts.push_back(train().length(e, first_field));
    Ids& places = right.emplace_back();
    for (const std::int32_t i : train().ids(e, second_field)) places.push_back(first + i);
  }
  const Var p = segment_softmax(model_.answerer.scores(pairs, pass), Segments::of_lengths(counts));
  return minus_log(probability_of(p, joined(right)));
}

Var AnswerWorkload::span_loss(std::span<const std::uint32_t> examples, const Pass& pass) const {
  std::vector<AnswerPair> pairs;
  std::vector<Ids> begins, ends;
  std::int32_t row = 0;
  for (const std::uint32_t e : examples) {
    pairs.push_back({train().ids(e, question_field), train().ids(e, text_field)});
    Ids& begin = begins.emplace_back();
    for (const std::int32_t place : train().ids(e, first_field)) begin.push_back(row + place);
    Ids& end = ends.emplace_back();
    for (const std::int32_t place : train().ids(e, second_field)) end.push_back(row + place);
    row += train().length(e, text_field) + 1;
  }
  const SpanPointers p = model_.answerer.point(pairs, pass);
  return add(minus_log(probability_of(p.begin, joined(begins))),
             minus_log(probability_of(p.end, joined(ends))));
}

std::vector<Var> AnswerWorkload::losses(Dim batch, const Pass& pass) {
  const auto examples = examples_of(batch);
  return {spans() ? span_loss(examples, pass) : choice_loss(examples, pass)};
}

std::vector<std::string> AnswerWorkload::figure_names() const {
  std::vector<Report> reports;  // of no questions
  if (!dev_spans_.empty()) reports = evaluate(std::span<const SpanExample>(), {});
  if (!dev_choices_.empty()) reports = evaluate(std::span<const ChoiceExample>(), {});
  std::vector<std::string> names;
  for (const Report& report : reports) names.push_back(report.figure.name);
  return names;
}

std::vector<Figure> AnswerWorkload::validate() {
  std::vector<Report> reports;
  if (!dev_spans_.empty()) reports = evaluate(dev_spans_, find_spans(model_, dev_spans_));
  if (!dev_choices_.empty()) reports = evaluate(dev_choices_, choose(model_, dev_choices_));
  std::vector<Figure> figures;
  for (const Report& report : reports) figures.push_back(report.figure);
  return figures;
}

std::vector<std::string> AnswerWorkload::show(Dim step) {
  const std::vector<std::string> looks = model_.answerer.encoder->looks();
  const RecordOptions last{.layers = looks.empty() ? "*" : looks.back()};
  ShownExamples shown;
  const auto add = [&](const auto& questions) {
    const auto some = std::span(questions).first(std::min(ShownExamples::most, questions.size()));
    for (const auto& one : some) {
      shown.add(one.question, record_of(model_, one, last), right_answer(one));
    }
  };
  add(dev_choices_);
  add(dev_spans_);
  return shown.lines(step);
}

}  // namespace fovea
