/// The files of the task "answer", and their questions and texts as ids.
#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <sstream>

#include "fovea/tasks/answer/answer.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

/// The lines of three files.
class AnswerLines {
 public:
  AnswerLines(const AnswerData& data, Part part, AnswerKind kind)
      : reader_(data, part, "."), file_(files_of(data, part).back()) {
    const std::size_t files = files_of(data, part).size();
    FOVEA_CHECK(files == 3, "data.", name_of(part), ": expected three files (questions, ",
                kind == AnswerKind::span ? "passages, answers" : "sentences, labels", "), found ",
                files);
  }

  bool next() { return reader_.next(fields_); }
  const std::string& question() const { return fields_[0]; }
  const std::string& text() const { return fields_[1]; }
  const std::string& answer() const { return fields_[2]; }
  std::int64_t number() const { return reader_.number(); }
  /// For errors, which are in the labels or answers.
  std::string place() const { return concat(file_, ":", reader_.number()); }

 private:
  PartReader reader_;
  std::string file_;
  std::vector<std::string> fields_;
};

/// Learned from the questions and texts of the training part; a question that stands in several
/// lines, one after the other, counts once.
Tokenizer learn_answer_words(const AnswerRecipe& recipe) {
  AnswerLines lines(recipe.data, Part::train, recipe.model.kind);
  std::string question;
  bool text_is_next = false;
  const auto texts = [&](std::string& line) {
    if (!text_is_next) {
      if (!lines.next()) return false;
      text_is_next = lines.question() != question;
      if (text_is_next) {
        line = question = lines.question();
        return true;
      }
    }
    text_is_next = false;
    line = lines.text();
    return true;
  };
  return learn_tokenizer(recipe.words, texts, recipe.data);
}

/// "12-25", within so many characters.
CharacterRange range_in(const std::string& text, Dim characters, const AnswerLines& lines) {
  CharacterRange range;
  const char* last = text.data() + text.size();
  const auto begin = std::from_chars(text.data(), last, range.begin);
  const bool dash = begin.ec == std::errc() && begin.ptr < last && *begin.ptr == '-';
  const auto end = std::from_chars(dash ? begin.ptr + 1 : last, last, range.end);
  FOVEA_CHECK(dash && end.ec == std::errc() && end.ptr == last, lines.place(),
              ": expected answers such as 12-25, or none, found '", text, "'");
  FOVEA_CHECK(range.begin < range.end && range.end <= characters, lines.place(), ": answer ", text,
              " in a passage of ", characters, " characters");
  return range;
}

std::vector<CharacterRange> answers_in(const AnswerLines& lines) {
  std::vector<CharacterRange> ranges;
  if (lines.answer() == "none") return ranges;
  const auto characters = static_cast<Dim>(code_points(lines.text()).size());
  std::istringstream answers(lines.answer());
  for (std::string answer; answers >> answer;) {
    ranges.push_back(range_in(answer, characters, lines));
  }
  FOVEA_CHECK(!ranges.empty(), lines.place(),
              ": expected answers such as 12-25, or none, found nothing");
  return ranges;
}

/// The tokens that touch a range: the first and the last, from 1; 0: none is read.
std::pair<std::int32_t, std::int32_t> tokens_in(const EncodedPassage& passage,
                                                const CharacterRange& range) {
  std::int32_t begin = 0, end = 0;
  for (std::size_t i = 0; i < passage.ids.size(); ++i) {
    const PlacedWord& word = passage.words[passage.word[i]];
    if (word.end <= range.begin || word.begin >= range.end) continue;
    end = static_cast<std::int32_t>(i) + 1;
    if (begin == 0) begin = end;
  }
  return {begin, end};
}

void add_once(Ids& ids, std::int32_t id) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
}

/// The first `most` ids; `cut`, if it is not null, becomes true if there are more.
Ids first_ids(Ids ids, std::size_t most, bool* cut) {
  if (cut && ids.size() > most) *cut = true;
  ids.resize(std::min(ids.size(), most));
  return ids;
}

}  // namespace

QuestionAnswering QuestionAnswering::make(AnswerRecipe recipe, const RunPlace& place) {
  auto [words, params] = begin_with(recipe.model.from, recipe.model.encoder, recipe.words, place,
                                    recipe.train.seed, [&] { return learn_answer_words(recipe); });
  QuestionAnswering task(std::move(recipe), {{"words", words}}, std::move(params));
  task.count_words();
  return task;
}

void QuestionAnswering::count_words() {
  if (!net.rarity.defined()) return;
  std::vector<Ids> sentences;
  AnswerLines lines(recipe.data, Part::train, recipe.model.kind);
  while (lines.next()) sentences.push_back(encode_text(lines.text(), 0));
  net.count(sentences);
}

void QuestionAnswering::read(const AnswerData& data, Part part, ExampleSink<Query>& sink) const {
  spans() ? read_spans(data, part, sink) : read_choices(data, part, sink);
}

void QuestionAnswering::read_choices(const AnswerData& data, Part part,
                                     ExampleSink<Query>& sink) const {
  std::string question;
  std::vector<std::string> sentences;
  Ids right;
  std::int64_t first_line = 0;
  const auto add_question = [&] {
    if (sentences.empty()) return;
    if (part == Part::train && right.empty()) return sink.skip("no sentence answers the question");
    Query query = choice_query(question, sentences);
    query.example.right = right;
    sink.add(std::move(query), first_line);
  };
  AnswerLines lines(data, part, recipe.model.kind);
  while (lines.next()) {
    FOVEA_CHECK(lines.answer() == "0" || lines.answer() == "1", lines.place(),
                ": expected 1 (the sentence answers) or 0, found '", lines.answer(), "'");
    if (sentences.empty() || question != lines.question()) {
      add_question();
      question = lines.question(), first_line = lines.number();
      sentences.clear(), right.clear();
    }
    if (lines.answer() == "1") right.push_back(static_cast<std::int32_t>(sentences.size()));
    sentences.push_back(lines.text());
  }
  add_question();
}

void QuestionAnswering::read_spans(const AnswerData& data, Part part,
                                   ExampleSink<Query>& sink) const {
  AnswerLines lines(data, part, recipe.model.kind);
  while (lines.next()) {
    sink.add(span_query(lines.question(), lines.text(), answers_in(lines)), lines.number());
  }
}

QuestionAnswering::Query QuestionAnswering::choice_query(std::string question,
                                                         std::vector<std::string> sentences) const {
  Query query;
  query.example.question = encode_question(question, &query.cut);
  for (const std::string& sentence : sentences) {
    query.example.texts.push_back(encode_text(sentence, query.example.question.size(), &query.cut));
  }
  query.question = std::move(question);
  query.sentences = std::move(sentences);
  return query;
}

QuestionAnswering::Query QuestionAnswering::span_query(
    std::string question, std::string passage, const std::vector<CharacterRange>& answers) const {
  Query query;
  Example& example = query.example;
  example.question = encode_question(question, &query.cut);
  EncodedPassage read = encode_passage(passage, example.question.size());
  query.cut = query.cut || read.cut;
  for (const CharacterRange& answer : answers) {
    example.answers.push_back(cut_out(passage, answer));
    const auto [begin, end] = tokens_in(read, answer);
    if (begin == 0) continue;
    add_once(example.begins, begin);
    add_once(example.ends, end);
  }
  if (example.begins.empty()) example.begins = example.ends = {0};
  example.texts = {std::move(read.ids)};
  example.passage = std::move(passage);
  query.question = std::move(question);
  return query;
}

Dim QuestionAnswering::max_positions() const {
  const TextEncoderConfig& encoder = recipe.model.encoder;
  const bool limited =
      encoder.family == TextFamily::transformer && encoder.positions == Positions::learned;
  return limited ? encoder.longest - net.marks.count() : std::numeric_limits<Dim>::max();
}

std::size_t QuestionAnswering::max_tokens(std::size_t asked) const {
  const Dim left = std::max<Dim>(max_positions() - static_cast<Dim>(asked), 0);
  return static_cast<std::size_t>(std::min(recipe.data.longest, left));
}

Ids QuestionAnswering::encode_question(std::string_view question, bool* cut) const {
  const Dim most = std::max<Dim>(std::min(recipe.data.longest, max_positions() / 2), 0);
  return first_ids(words.encode(question), static_cast<std::size_t>(most), cut);
}

Ids QuestionAnswering::encode_text(std::string_view text, std::size_t asked, bool* cut) const {
  return first_ids(words.encode(text), max_tokens(asked), cut);
}

EncodedPassage QuestionAnswering::encode_passage(std::string_view passage,
                                                 std::size_t asked) const {
  EncodedPassage encoded;
  const std::size_t most = max_tokens(asked);
  if (std::optional<PlacedIds> placed = words.encode_placed(passage)) {
    encoded.ids = first_ids(std::move(placed->ids), most, &encoded.cut);
    encoded.words = placed_at(passage, placed->places);
    encoded.words.resize(encoded.ids.size());
    encoded.word.resize(encoded.ids.size());
    std::iota(encoded.word.begin(), encoded.word.end(), std::size_t{0});
    return encoded;
  }
  for (const PlacedWord& word : placed_words(passage)) {
    const Ids ids = words.encode(word.text);
    encoded.cut = encoded.ids.size() + ids.size() > most;
    if (encoded.cut) break;
    encoded.ids.insert(encoded.ids.end(), ids.begin(), ids.end());
    encoded.word.insert(encoded.word.end(), ids.size(), encoded.words.size());
    encoded.words.push_back(word);
  }
  return encoded;
}

std::string cut_out(std::string_view text, const CharacterRange& range) {
  return utf8_of(code_points(text).substr(static_cast<std::size_t>(range.begin),
                                          static_cast<std::size_t>(range.end - range.begin)));
}

}  // namespace fovea
