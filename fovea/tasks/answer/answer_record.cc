#include "fovea/tasks/answer/answer_record.h"

#include "fovea/attention/probe.h"
#include "fovea/metrics/ranking.h"

namespace fovea {
namespace {

/// A question and a text as the encoder reads them, and the words that their ids stand for.
struct ReadPair {
  Ids question, text;
  std::vector<std::string> question_words, text_words;
};

void record_layers(const AnswerModel& model, const ReadPair& read, const RecordOptions& options,
                   RunRecord& record) {
  const std::vector<std::string> layers = model.answerer.encoder->looks();
  if (layers.empty()) return;
  const NoTape no_tape;
  Probe probe(options.probe());
  const AnswerPair pair{read.question, read.text};
  (*model.answerer.encoder)(model.answerer.rows_of(std::span(&pair, 1)), {.probe = &probe});
  RunRecord::Sequence both{"question and text", {}};
  const auto add_marks = [&](const Ids& marks) {
    for (const std::int32_t id : marks) both.tokens.push_back(model.words.piece(id));
  };
  const AnswerMarks& marks = model.answerer.marks;
  add_marks(marks.before);
  both.tokens.insert(both.tokens.end(), read.question_words.begin(), read.question_words.end());
  add_marks(marks.between);
  both.tokens.insert(both.tokens.end(), read.text_words.begin(), read.text_words.end());
  add_marks(marks.behind);
  record.sequences.push_back(both);
  for (const AttentionRecord& seen : probe.records()) record.add(seen, 0, both.name, both.name);
  expect_layers(record, options, layers);
}

}  // namespace

RunRecord record_of(const AnswerModel& model, const ChoiceExample& question,
                    const RecordOptions& options) {
  RunRecord record{.task = "answer", .input = question.question};
  const std::vector<float> chosen = choose(model, std::span(&question, 1)).front();
  record.output = question.sentences[ranked(chosen).front()];
  DocumentHeat heat{.title = "sentences by their probability", .sentences = {}};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::vector<std::string> words = model.words.pieces(question.sentences[i]);
    heat.sentences.push_back({chosen[i], words, std::vector<float>(words.size(), chosen[i])});
    record.cut = record.cut || model.too_long(question.question, question.sentences[i]);
  }
  record.documents.push_back(std::move(heat));
  Ids asked = model.encode_question(question.question);
  Ids told = model.encode(record.output, asked.size());
  ReadPair read{.question = std::move(asked),
                .text = std::move(told),
                .question_words = model.words.pieces(question.question),
                .text_words = model.words.pieces(record.output)};
  read.question_words.resize(read.question.size());
  read.text_words.resize(read.text.size());
  record_layers(model, read, options, record);
  return record;
}

RunRecord record_of(const AnswerModel& model, const SpanExample& question,
                    const RecordOptions& options) {
  RunRecord record{.task = "answer",
                   .input = question.question,
                   .cut = model.too_long(question.question, question.passage)};
  const FoundSpan found = std::move(find_spans(model, std::span(&question, 1)).front());
  record.output = found.text.empty() ? std::string(not_said) : found.text;
  Ids asked = model.encode_question(question.question);
  const EncodedPassage passage = model.encode_passage(question.passage, asked.size());
  std::vector<std::string> words, tokens;
  for (const PlacedWord& word : passage.words) words.emplace_back(word.text);
  record.documents.push_back(
      {concat("where it begins or ends; none: ", found.none), {{1, words, found.words}}});
  for (std::size_t i = 0; i < passage.ids.size(); ++i) tokens.push_back(words[passage.word[i]]);
  ReadPair read{.question = std::move(asked),
                .text = passage.ids,
                .question_words = model.words.pieces(question.question),
                .text_words = std::move(tokens)};
  read.question_words.resize(read.question.size());
  record_layers(model, read, options, record);
  return record;
}

}  // namespace fovea
