/// The texts and the attention of a model that answers, as a RunRecord.
#include "fovea/attention/probe.h"
#include "fovea/tasks/answer/answer.h"
#include "fovea/tasks/evaluation.h"

namespace fovea {
namespace {

/// What the encoder reads of a query: the question, one of its texts, and the words of the text.
struct ReadPair {
  AnswerPair ids;
  std::vector<std::string> question, text;
};

/// Adds the layers of the encoder.
void record_layers(const QuestionAnswering& task, ReadPair read, const RecordOptions& options,
                   RunRecord& record) {
  const std::vector<std::string> layers = task.net.encoder->looks();
  if (layers.empty()) return;
  const NoTape no_tape;
  Probe probe(options.probe());
  (*task.net.encoder)(task.net.rows_of(std::span(&read.ids, 1)), {.probe = &probe});
  read.question.resize(read.ids.question.size());
  read.text.resize(read.ids.text.size());
  RunRecord::Sequence both{"question and text", {}};
  const auto add_words = [&](const std::vector<std::string>& words) {
    both.tokens.insert(both.tokens.end(), words.begin(), words.end());
  };
  const auto add_marks = [&](const Ids& marks) {
    for (const std::int32_t id : marks) both.tokens.push_back(task.words.piece(id));
  };
  const AnswerMarks& marks = task.net.marks;
  add_marks(marks.before);
  add_words(read.question);
  add_marks(marks.between);
  add_words(read.text);
  add_marks(marks.behind);
  record.sequences.push_back(both);
  for (const AttentionRecord& seen : probe.records()) record.add(seen, 0, both.name, both.name);
  expect_layers(record, options, layers);
}

}  // namespace

RunRecord QuestionAnswering::record(const Query& query, const RecordOptions& options) const {
  return spans() ? record_span(query, options) : record_choice(query, options);
}

RunRecord QuestionAnswering::record_choice(const Query& query, const RecordOptions& options) const {
  const std::vector<float> chosen = output_of(*this, query).chosen;
  const std::size_t best = ranked(chosen).front();
  RunRecord record{.output = query.sentences[best], .cut = query.cut};
  DocumentHeat heat{.title = "sentences by their probability", .sentences = {}};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::vector<std::string> pieces = words.pieces(query.sentences[i]);
    heat.sentences.push_back({chosen[i], pieces, std::vector<float>(pieces.size(), chosen[i])});
  }
  record.documents.push_back(std::move(heat));
  record_layers(*this,
                {.ids = {query.example.question, query.example.texts[best]},
                 .question = words.pieces(query.question),
                 .text = words.pieces(query.sentences[best])},
                options, record);
  return record;
}

RunRecord QuestionAnswering::record_span(const Query& query, const RecordOptions& options) const {
  const Example& example = query.example;
  const FoundSpan found = output_of(*this, query).span;
  const EncodedPassage passage = encode_passage(example.passage, example.question.size());
  std::vector<std::string> passage_words, tokens;
  for (const PlacedWord& word : passage.words) passage_words.emplace_back(word.text);
  for (const std::size_t word : passage.word) tokens.push_back(passage_words[word]);
  RunRecord record{.output = found.text.empty() ? std::string(no_answer) : found.text,
                   .cut = query.cut};
  record.documents.push_back(
      {concat("where it begins or ends; none: ", found.none), {{1, passage_words, found.words}}});
  record_layers(*this,
                {.ids = {example.question, example.texts.front()},
                 .question = words.pieces(query.question),
                 .text = std::move(tokens)},
                options, record);
  return record;
}

}  // namespace fovea
