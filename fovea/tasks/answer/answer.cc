#include "fovea/tasks/answer/answer.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/table_check.h"
#include "fovea/models/cloze_reader.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

constexpr double least_in_training = 1e-10;  // of a probability, so that its logarithm is finite
constexpr double least_in_search = 1e-30;

Var minus_log(const Var& probability) {
  return scale(sum(log(add_scalar(probability, least_in_training))), -1);
}

/// Learned here, a model reads the marks around a question, but none after the text; those of
/// others are read as their tokenizer says.
AnswerMarks marks_of(const Tokenizer& words) {
  const TextLayout& layout = words.layout();
  const bool own = words.config().kind != TokenizerKind::hub;
  return {layout.before, layout.between, own ? Ids() : layout.behind, layout.second_kind,
          words.special().unknown};
}

AnswerRecipe sized(AnswerRecipe recipe, const Tokenizer& words) {
  check(recipe);
  recipe.model.encoder.vocabulary = words.size();
  return recipe;
}

std::vector<AnswerPair> pairs_of(Batch<AnswerExample> batch) {
  std::vector<AnswerPair> pairs;
  for (const AnswerExample& example : batch) {
    for (const Ids& text : example.texts) pairs.push_back({example.question, text});
  }
  return pairs;
}

/// The examples of a batch that have a right answer; "no answer" is one of a passage.
double answered(Batch<AnswerExample> batch) {
  return static_cast<double>(std::ranges::count_if(batch, [](const AnswerExample& example) {
    return !example.right.empty() || !example.begins.empty();
  }));
}

/// -log of the sum of P over the sentences that answer, where one does.
Var choice_loss(Batch<AnswerExample> batch, const Var& chosen) {
  std::vector<Ids> right;
  std::int32_t row = 0;
  for (const AnswerExample& example : batch) {
    Ids rows;
    for (const std::int32_t sentence : example.right) rows.push_back(row + sentence);
    if (!rows.empty()) right.push_back(std::move(rows));
    row += static_cast<std::int32_t>(example.texts.size());
  }
  return minus_log(probability_of(chosen, joined(right)));
}

/// -log P(begin) - log P(end), each summed over the right tokens.
Var span_loss(Batch<AnswerExample> batch, const SpanPointers& spans) {
  std::vector<Ids> begins, ends;
  std::int32_t row = 0;
  for (const AnswerExample& example : batch) {
    Ids& begin = begins.emplace_back();
    for (const std::int32_t token : example.begins) begin.push_back(row + token);
    Ids& end = ends.emplace_back();
    for (const std::int32_t token : example.ends) end.push_back(row + token);
    row += static_cast<std::int32_t>(example.texts.front().size()) + 1;
  }
  return add(minus_log(probability_of(spans.begin, joined(begins))),
             minus_log(probability_of(spans.end, joined(ends))));
}

/// Of a share of 1.
Report share_of_one(const std::string& name, const char* label, double share,
                    const std::string& protocol) {
  return percent_report(name, 100 * share, formatted("%s = %.2f", label, 100 * share), protocol);
}

std::vector<std::string> split_at_tabs(const std::string& line) {
  std::vector<std::string> fields;
  std::size_t at = 0, tab = 0;
  do {
    tab = line.find('\t', at);
    fields.push_back(line.substr(at, tab - at));
    at = tab + 1;
  } while (tab != std::string::npos);
  return fields;
}

/// "" if no sentence is right.
std::string right_answer(const AnswerQuery& query, bool span) {
  const AnswerExample& example = query.example;
  if (span) return example.answers.empty() ? std::string(no_answer) : example.answers.front();
  return example.right.empty() ? ""
                               : query.sentences[static_cast<std::size_t>(example.right.front())];
}

}  // namespace

void check(const AnswerRecipe& recipe) {
  TableCheck("data").sizes({{"longest", recipe.data.longest}});
  TableCheck("decode").sizes({{"longest", recipe.decode.longest}});
  check(recipe.batch);
  check(recipe.model);
}

QuestionAnswering::QuestionAnswering(AnswerRecipe with, TokenizerMap texts,
                                     std::unique_ptr<Params> weights)
    : ExampleTask{{sized(std::move(with), texts.at("words")), texts, std::move(weights)}},
      words(texts.at("words")),
      net(params->scope(), recipe.model, marks_of(words)) {
  static_cast<AnswererConfig&>(recipe.model) = net.config;  // completed
}

void QuestionAnswering::complete(AnswerRecipe& recipe) {
  if (recipe.train.watch != TrainConfig().watch) return;
  recipe.train.watch = recipe.model.kind == AnswerKind::choice ? "map" : "f1";
}

Dim QuestionAnswering::rows(const Example& example) const {
  Dim rows = 0;
  for (const Ids& text : example.texts) {
    rows += std::ssize(example.question) + std::ssize(text) + net.marks.count();
  }
  return rows;
}

AnswerForward QuestionAnswering::forward(Batch<Example> batch, const Pass& pass) const {
  const std::vector<AnswerPair> pairs = pairs_of(batch);
  if (spans()) return {.spans = net.point(pairs, pass)};
  std::vector<Dim> counts;
  for (const Example& example : batch) counts.push_back(std::ssize(example.texts));
  return {.chosen = segment_softmax(net.scores(pairs, pass), Segments::of_lengths(counts))};
}

std::vector<Objective<QuestionAnswering>> QuestionAnswering::objectives() const {
  return {{.part = {"loss"},
           .count = answered,
           .sum = [span = spans()](Batch<Example> batch, const Forward& forward) {
             return span ? span_loss(batch, forward.spans) : choice_loss(batch, forward.chosen);
           }}};
}

std::vector<AnswerOutput> QuestionAnswering::outputs(Batch<Example> batch,
                                                     const Forward& forward) const {
  std::vector<Output> all;
  if (spans()) {
    const SpanPointers& found = forward.spans;
    for (const Example& example : batch) {
      const Dim i = std::ssize(all);
      const auto rows_of = [&](const Var& p) {
        return p.value().span<float>().subspan(static_cast<std::size_t>(found.segments.begin(i)),
                                               static_cast<std::size_t>(found.segments.length(i)));
      };
      all.push_back({.span = find_span(example, rows_of(found.begin), rows_of(found.end))});
    }
    return all;
  }
  std::span<const float> rest = forward.chosen.value().span<float>();
  for (const Example& example : batch) {
    const auto own = rest.first(example.texts.size());
    all.push_back({.chosen = {own.begin(), own.end()}});
    rest = rest.subspan(own.size());
  }
  return all;
}

/// The most probable pair of a begin and an end of at most decode.longest words, in the order of
/// the text; row 0 of both stands for no answer, row i + 1 for token i.
FoundSpan QuestionAnswering::find_span(const Example& example, std::span<const float> begin,
                                       std::span<const float> end) const {
  const AnswerDecode& decode = recipe.decode;
  const EncodedPassage passage = encode_passage(example.passage, example.question.size());
  const auto log_of = [](double p) { return std::log(p + least_in_search); };
  FoundSpan best{.none = static_cast<double>(begin[0]) * end[0]};
  best.probability = best.none;
  double score = log_of(begin[0]) + log_of(end[0]) + decode.no_answer;
  const std::size_t count = passage.ids.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i; j < count; ++j) {
      if (passage.word[j] - passage.word[i] >= static_cast<std::size_t>(decode.longest)) break;
      const double here = log_of(begin[i + 1]) + log_of(end[j + 1]);
      if (here <= score) continue;
      score = here;
      best.place = {passage.words[passage.word[i]].begin, passage.words[passage.word[j]].end};
      best.probability = static_cast<double>(begin[i + 1]) * end[j + 1];
    }
  }
  best.text = cut_out(example.passage, best.place);
  best.words.assign(passage.words.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    best.words[passage.word[i]] += (begin[i + 1] + end[i + 1]) / 2;
  }
  return best;
}

void QuestionAnswering::Score::add(const Example& example, const Output& output) {
  if (spans) {
    matches.add(output.span.text, example.answers);
    return;
  }
  std::vector<bool> right(example.texts.size());
  for (const std::int32_t sentence : example.right)
    right[static_cast<std::size_t>(sentence)] = true;
  ranking.add(output.chosen, right);
  first_right += right[ranked(output.chosen).front()];
}

std::vector<Report> QuestionAnswering::Score::reports(const Losses&) const {
  if (!spans) {
    const std::string protocol = concat(ranking.counted(), " questions; ", ranking.left_out(),
                                        " without an answer left out");
    return {share_of_one("map", "MAP", ranking.map(), protocol),
            share_of_one("mrr", "MRR", ranking.mrr(), protocol),
            share_report("first", first_right, ranking.counted(), protocol)};
  }
  std::vector<Report> reports;
  const auto add = [&](const std::string& questions, const SpanScores::Mean& mean) {
    const bool all = questions.empty();
    const std::string protocol =
        concat(mean.questions, " questions", all ? "" : " ", questions, "; as SQuAD 2.0 counts");
    const std::string suffix = all ? "" : ", " + questions;
    reports.push_back(share_of_one("exact" + suffix, "exact", mean.exact_share(), protocol));
    reports.push_back(share_of_one("f1" + suffix, "F1", mean.f1_share(), protocol));
  };
  add("", matches.all());
  add("with an answer", matches.with_answer());
  add("without", matches.without_answer());
  return reports;
}

QuestionAnswering::Query QuestionAnswering::parse(const Input& input) const {
  request_of<NoOptions>(input);
  std::vector<std::string> fields = split_at_tabs(input.text);
  if (spans()) {
    FOVEA_CHECK(fields.size() == 2,
                "this model answers from a passage: expected a question, a tab ",
                "and the passage, found '", input.text, "'");
    return span_query(fields[0], fields[1], {});
  }
  FOVEA_CHECK(fields.size() >= 2, "this model chooses a sentence: expected a question and, each ",
              "after a tab, sentences, found '", input.text, "'");
  return choice_query(fields[0], {fields.begin() + 1, fields.end()});
}

Answer QuestionAnswering::answer(const Query& query, const Output& output) const {
  if (spans()) {
    const FoundSpan& span = output.span;
    Answer answer{.text = span.text,
                  .json = {{"question", query.question},
                           {"answer", span.text},
                           {"probability", span.probability},
                           {"no_answer", span.none}},
                  .cut = query.cut};
    if (span.text.empty()) return answer;
    answer.json["begin"] = span.place.begin;
    answer.json["end"] = span.place.end;
    return answer;
  }
  const std::vector<std::size_t> order = ranked(output.chosen);
  Answer answer{.text = query.sentences[order.front()],
                .json = {{"question", query.question}, {"answers", Json::array()}},
                .cut = query.cut};
  for (const std::size_t i : order) {
    answer.json["answers"].push_back(
        {{"text", query.sentences[i]}, {"probability", output.chosen[i]}});
  }
  return answer;
}

void QuestionAnswering::show(std::span<const Query> queries, const Examples<Example>&,
                             ShownExamples& shown) const {
  const std::vector<std::string> looks = net.encoder->looks();
  const RecordOptions last{.layers = looks.empty() ? "*" : looks.back()};
  for (const Query& query : queries) {
    shown.add(query.question, record(query, last), right_answer(query, spans()));
  }
}

}  // namespace fovea
