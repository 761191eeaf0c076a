#include "fovea/tasks/tag_runner.h"

#include "fovea/attention/probe.h"
#include "fovea/tasks/tag_data.h"
#include "fovea/tasks/tag_metrics.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

std::string text_of(const Words& words, const TaggedText& answer) {
  std::string text = answer.intent.empty() ? "" : answer.intent + "\t";
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += concat(i == 0 ? "" : " ", words[i], "/", answer.tags[i]);
  }
  return text;
}

/// Where the words of a line stand, in characters.
struct Place {
  Dim begin, end;
};
std::vector<Place> places_of(const std::string& line, const Words& words) {
  std::vector<Place> places;
  std::size_t byte = 0;
  Dim character = 0;
  const auto move_to = [&](std::size_t to) {
    while (byte < to) {
      next_code_point(line, byte);
      ++character;
    }
    return character;
  };
  for (const std::string& word : words) {
    const std::size_t at = line.find(word, byte);
    const Dim begin = move_to(at);
    places.push_back({begin, move_to(at + word.size())});
  }
  return places;
}

Json json_of(const std::string& line, const Words& words, const TaggedText& answer) {
  const std::vector<Place> places = places_of(line, words);
  const std::u32string characters = code_points(line);
  Json json = {
      {"text", line}, {"words", words}, {"tags", answer.tags}, {"entities", Json::array()}};
  for (const Entity& entity : entities_of(answer.tags)) {
    const Dim begin = places[static_cast<std::size_t>(entity.begin)].begin;
    const Dim end = places[static_cast<std::size_t>(entity.end - 1)].end;
    const auto text =
        std::u32string_view(characters)
            .substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    json["entities"].push_back(
        {{"type", entity.type}, {"text", utf8_of(text)}, {"begin", begin}, {"end", end}});
  }
  if (!answer.intent.empty()) {
    json["intent"] = answer.intent;
    json["intent_probability"] = answer.intent_probability;
  }
  return json;
}

}  // namespace

TagRunner::TagRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings)
    : model_(TaggingModel::load(folder, settings, Use::run)) {}

std::vector<Answer> TagRunner::run(std::span<const std::string> lines, const RunOptions& options) {
  expect_plain(options, "a model that tags");
  std::vector<Words> texts;
  for (const std::string& line : lines) texts.push_back(words_in(line));
  const std::vector<TaggedText> found = tag(model_, texts, options.progress);
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    answers.push_back({.text = text_of(texts[i], found[i]),
                       .json = json_of(lines[i], texts[i], found[i]),
                       .cut = model_.encode(texts[i]).piece_counts.size() < texts[i].size()});
    if (answers.back().cut) answers.back().json["cut"] = true;
  }
  return answers;
}

TestResult TagRunner::test(const TestOptions& options) {
  expect_plain(options, "a model that tags");
  TagRecipe recipe = model_.recipe;
  if (!options.files.empty()) {
    (options.part == Part::dev ? recipe.data.dev : recipe.data.test) = options.files;
  }
  const std::vector<GivenText> given = read_texts(recipe, options.part, options.base);
  std::vector<Words> texts;
  for (const GivenText& text : given) texts.push_back(text.words);
  const auto all = static_cast<Dim>(texts.size());
  const std::vector<TaggedText> found = tag(model_, texts, [&](Dim done) {
    if (options.progress) options.progress(done, all);
  });
  TagScore score;
  TestResult result;
  for (std::size_t i = 0; i < given.size(); ++i) {
    score.add(given[i], found[i]);
    result.sources.push_back(text_of(texts[i], {.tags = given[i].tags, .intent = given[i].intent}));
    result.answers.push_back(text_of(texts[i], found[i]));
  }
  result.reports = reports_of(score, UnseenLabels(model_, given));
  return result;
}

RunRecord TagRunner::record_of(const std::string& line, const RecordOptions& options) const {
  const Words words = words_in(line);
  FOVEA_CHECK(!words.empty(), "look: a line without words");
  const EncodedWords encoded = model_.encode(words);
  const WordIds ids = encoded;
  const TagBatch batch = model_.batch(std::span(&ids, 1));
  const NoTape no_tape;
  Probe probe(options.probe());
  probe.except({.where = std::string(Tagger::intent_layer)});
  const Tagger::Scores scores = (*model_.tagger)(batch, {.probe = &probe});
  const TaggedText answer = model_.read_out(scores, batch.words).front();
  const Words read(words.begin(), words.begin() + batch.words.length(0));
  RunRecord record{.task = "tag", .input = line, .output = text_of(read, answer)};

  RunRecord::Sequence tagged{"words", {}};  // what rows are called: pieces, with the tags of words
  const auto mark = [&](std::size_t row) {
    tagged.tokens.push_back(model_.words.piece(encoded.pieces[row]));
  };
  std::size_t row = 0;
  for (; row < static_cast<std::size_t>(model_.marks_before()); ++row) mark(row);
  for (std::size_t w = 0; w < read.size(); ++w) {
    for (std::int32_t i = 0; i < encoded.piece_counts[w]; ++i, ++row) {
      const bool whole = encoded.piece_counts[w] == 1;
      tagged.tokens.push_back(whole ? read[w] : model_.words.piece(encoded.pieces[row]));
      if (i == 0) tagged.tokens.back() += "/" + answer.tags[w];
    }
  }
  for (; row < encoded.pieces.size(); ++row) mark(row);
  record.sequences.push_back(std::move(tagged));
  const std::vector<std::string> looks = model_.tagger->encoder().looks();
  for (const AttentionRecord& seen : probe.records()) {
    if (seen.layer != Tagger::intent_layer) record.add(seen, 0, "words", "words");
  }
  if (const AttentionRecord* told = probe.find(Tagger::intent_layer)) {
    const Tensor weights = told->matrix(0, 0);  // (1, words)
    const auto row = weights.span<float>();
    record.documents.push_back(
        {concat("for ", answer.intent), {{1, read, std::vector<float>(row.begin(), row.end())}}});
  } else {
    expect_layers(record, options, looks);
  }
  if (!looks.empty()) record.align(looks.back());
  return record;
}

std::vector<RunRecord> TagRunner::record(std::span<const std::string> lines,
                                         std::span<const std::string> answers,
                                         const RecordOptions& options) {
  FOVEA_CHECK(answers.empty(), "look: a model that tags looks before it answers; ",
              "leave out --answer");
  FOVEA_CHECK(model_.has_intents() || !model_.tagger->encoder().looks().empty(),
              "look: a recurrent model without intents has no attention; ",
              "model.family = \"transformer\" has");
  std::vector<RunRecord> all;
  for (const std::string& line : lines) all.push_back(record_of(line, options));
  return all;
}

}  // namespace fovea
