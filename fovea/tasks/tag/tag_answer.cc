/// What the task "tag" answers and shows.
#include "fovea/attention/probe.h"
#include "fovea/tasks/evaluation.h"
#include "fovea/tasks/tag/tag.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

/// Each word with its tag ("Peter/B-PER"), after the intent and a tab if there is one.
std::string tagged_line(const Words& words, const Words& tags, const std::string& intent) {
  std::string text = intent.empty() ? "" : intent + "\t";
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += concat(i == 0 ? "" : " ", words[i], "/", tags[i]);
  }
  return text;
}

/// Where the words of a line stand, in characters.
struct WordPlace {
  Dim begin, end;
};
std::vector<WordPlace> places_of(const std::string& line, const Words& words) {
  std::vector<WordPlace> places;
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

Json entities_json(const std::string& line, const Words& words, const Words& tags) {
  const std::vector<WordPlace> places = places_of(line, words);
  const std::u32string characters = code_points(line);
  Json entities = Json::array();
  for (const Entity& entity : entities_of(tags)) {
    const Dim begin = places[static_cast<std::size_t>(entity.begin)].begin;
    const Dim end = places[static_cast<std::size_t>(entity.end - 1)].end;
    const auto text =
        std::u32string_view(characters)
            .substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    entities.push_back(
        {{"type", entity.type}, {"text", utf8_of(text)}, {"begin", begin}, {"end", end}});
  }
  return entities;
}

std::size_t words_read(const TagExample& example) { return example.piece_counts.size(); }

}  // namespace

TagQuery TaggingModel::parse(const Input& input) const {
  request_of<NoOptions>(input);
  return query_of(input.text, words_in(input.text));
}

Answer TaggingModel::answer(const Query& query, const Output& found) const {
  Answer answer{.text = tagged_line(query.words, found.tags, found.intent),
                .json = {{"text", query.text},
                         {"words", query.words},
                         {"tags", found.tags},
                         {"entities", entities_json(query.text, query.words, found.tags)}},
                .cut = words_read(query.example) < query.words.size()};
  if (!found.intent.empty()) {
    answer.json["intent"] = found.intent;
    answer.json["intent_probability"] = found.intent_probability;
  }
  return answer;
}

RunRecord TaggingModel::record(const Query& query, const RecordOptions& options) const {
  const std::vector<std::string> looks = net.encoder().looks();
  FOVEA_CHECK(has_intents() || !looks.empty(),
              "look: a recurrent model without intents has no attention; ",
              "model.family = \"transformer\" has");
  FOVEA_CHECK(!query.words.empty(), "look: a line without words");
  const NoTape no_tape;
  Probe probe(options.probe());
  probe.except({.where = std::string(Tagger::intent_layer)});
  const Example& example = query.example;
  const Batch<Example> batch(&example, 1);
  const Output found = outputs(batch, forward(batch, {.probe = &probe})).front();
  const auto read = static_cast<std::ptrdiff_t>(words_read(example));
  const Words seen_words(query.words.begin(), query.words.begin() + read);
  RunRecord record{.output = tagged_line(seen_words, found.tags, found.intent),
                   .cut = seen_words.size() < query.words.size()};

  RunRecord::Sequence tagged{"words", {}};  // what rows are called: pieces, with the tags of words
  const auto mark = [&](std::size_t row) {
    tagged.tokens.push_back(words.piece(example.pieces[row]));
  };
  std::size_t row = 0;
  for (; row < layout().before.size(); ++row) mark(row);
  for (std::size_t w = 0; w < seen_words.size(); ++w) {
    for (std::int32_t i = 0; i < example.piece_counts[w]; ++i, ++row) {
      const bool whole = example.piece_counts[w] == 1;
      tagged.tokens.push_back(whole ? seen_words[w] : words.piece(example.pieces[row]));
      if (i == 0) tagged.tokens.back() += "/" + found.tags[w];
    }
  }
  for (; row < example.pieces.size(); ++row) mark(row);
  record.sequences.push_back(std::move(tagged));
  for (const AttentionRecord& seen : probe.records()) {
    if (seen.layer != Tagger::intent_layer) record.add(seen, 0, "words", "words");
  }
  if (const AttentionRecord* told = probe.find(Tagger::intent_layer)) {
    const Tensor weights = told->matrix(0, 0);  // (1, words)
    const auto shades = weights.span<float>();
    record.documents.push_back(
        {concat("for ", found.intent), {{1, seen_words, {shades.begin(), shades.end()}}}});
  } else {
    expect_layers(record, options, looks);
  }
  if (!looks.empty()) record.align(looks.back());
  return record;
}

void TaggingModel::show(std::span<const Query> queries, const Examples<Example>&,
                        ShownExamples& shown) const {
  const std::vector<Output> found = outputs_of(*this, queries);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Query& query = queries[i];
    shown.samples.push_back({query.text, tagged_line(query.words, found[i].tags, found[i].intent),
                             tagged_line(query.words, query.example.tags, query.example.intent)});
  }
  if (!queries.empty() && !net.encoder().looks().empty()) shown.first = record(queries[0], {});
}

}  // namespace fovea
