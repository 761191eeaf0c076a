#include "fovea/tasks/tag/tag_runner.h"

#include "fovea/tasks/tag/tag_data.h"
#include "fovea/tasks/tag/tag_metrics.h"
#include "fovea/tasks/tag/tag_record.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

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

std::vector<Answer> TagRunner::run_lines(std::span<const std::string> lines,
                                         const RunOptions& options) {
  std::vector<Words> texts;
  for (const std::string& line : lines) texts.push_back(words_in(line));
  const std::vector<TaggedText> found = tag(model_, texts, options.progress);
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    answers.push_back({.text = tagged_line(texts[i], found[i]),
                       .json = json_of(lines[i], texts[i], found[i]),
                       .cut = model_.encode(texts[i]).piece_counts.size() < texts[i].size()});
    if (answers.back().cut) answers.back().json["cut"] = true;
  }
  return answers;
}

TestResult TagRunner::test(const TestOptions& options) const {
  expect_plain(options, "tag");
  TagRecipe recipe = model_.recipe;
  read_from(recipe.data, options.part, options.files);
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
    result.sources.push_back(
        tagged_line(texts[i], {.tags = given[i].tags, .intent = given[i].intent}));
    result.answers.push_back(tagged_line(texts[i], found[i]));
  }
  result.reports = reports_of(score, UnseenLabels(model_, given));
  return result;
}

std::vector<RunRecord> TagRunner::record_lines(std::span<const std::string> lines,
                                               std::span<const std::string> answers,
                                               const RecordOptions& options) {
  FOVEA_CHECK(answers.empty(), "look: a model that tags looks before it answers; ",
              "leave out --answer");
  FOVEA_CHECK(model_.has_intents() || !model_.tagger->encoder().looks().empty(),
              "look: a recurrent model without intents has no attention; ",
              "model.family = \"transformer\" has");
  std::vector<RunRecord> all;
  for (const std::string& line : lines) all.push_back(record_of(model_, line, options));
  return all;
}

}  // namespace fovea
