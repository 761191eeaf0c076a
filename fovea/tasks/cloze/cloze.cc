#include "fovea/tasks/cloze/cloze.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "fovea/attention/probe.h"
#include "fovea/base/table_check.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"
#include "fovea/tasks/task_entry.h"

namespace fovea {
namespace {

/// What a question has in the place of the word that is asked for.
constexpr std::string_view cloze_blank = "@placeholder";
constexpr double least = 1e-10;  // of a probability, so that its logarithm is finite

PartReader cloze_reader(const ClozeData& data, Part part) {
  const std::size_t files = files_of(data, part).size();
  FOVEA_CHECK(files == 3, "data: expected three files (documents, questions, answers), found ",
              files);
  return {data, part, "."};
}

/// Learned from the documents and questions of the training part.
Tokenizer learn_cloze_words(const ClozeRecipe& recipe) {
  PartReader reader = cloze_reader(recipe.data, Part::train);
  return learn_tokenizer(recipe.words, field_lines(reader, {0, 1}), recipe.data);
}

/// The rows of a batch at which the answer of each example stands.
Sequences answer_rows(Batch<ClozeExample> batch) {
  std::vector<Ids> places;
  std::int32_t row = 0;
  for (const ClozeExample& example : batch) {
    Ids& here = places.emplace_back();
    for (const std::int32_t first : example.same) {
      if (first == example.answer) here.push_back(row);
      ++row;
    }
  }
  return joined(places);
}

ClozeRecipe sized(ClozeRecipe recipe, const Tokenizer& words) {
  check(recipe);
  recipe.model.vocabulary = words.size();
  return recipe;
}

}  // namespace

std::vector<RankedWord> ranked(std::span<const float> pointed, std::span<const std::int32_t> same) {
  std::vector<RankedWord> all;
  for (std::size_t i = 0; i < same.size(); ++i) all.push_back({static_cast<Dim>(i), 0});
  for (std::size_t i = 0; i < same.size(); ++i) {
    all[static_cast<std::size_t>(same[i])].probability += pointed[i];
  }
  std::erase_if(all, [&](const RankedWord& w) {
    return same[static_cast<std::size_t>(w.place)] != w.place;  // not the first of its word
  });
  std::stable_sort(all.begin(), all.end(), [](const RankedWord& a, const RankedWord& b) {
    return a.probability > b.probability;
  });
  return all;
}

void check(const ClozeRecipe& recipe) {
  TableCheck("data").sizes({{"longest", recipe.data.longest}});
  FOVEA_CHECK(recipe.words.kind == TokenizerKind::words,
              "words.kind: the answers of a cloze are words; expected \"words\", found \"",
              name_of(recipe.words.kind), "\"");
  check(recipe.batch);
  check(recipe.model);
}

Cloze::Cloze(ClozeRecipe with, TokenizerMap texts, std::unique_ptr<Params> weights)
    : ExampleTask{{sized(std::move(with), texts.at("words")), texts, std::move(weights)}},
      words(texts.at("words")),
      net(params->scope(), recipe.model) {}

Cloze Cloze::make(ClozeRecipe recipe, const RunPlace& place) {
  auto [words, params] =
      begin_anew(place, recipe.train.seed, [&] { return learn_cloze_words(recipe); });
  return {std::move(recipe), {{"words", words}}, std::move(params)};
}

void Cloze::read(const ClozeData& data, Part part, ExampleSink<Query>& sink) const {
  PartReader reader = cloze_reader(data, part);
  for (std::vector<std::string> fields; reader.next(fields);) {
    FOVEA_CHECK(fields[1].find(cloze_blank) != std::string::npos, files_of(data, part).front(), ":",
                reader.number(), ": the question has no ", cloze_blank, ": '", fields[1], "'");
    Query query = query_of(fields[0], fields[1]);
    query.answer = words.normalise(fields[2]);
    const auto at = std::find(query.words.begin(), query.words.end(), query.answer);
    if (at != query.words.end()) {
      query.example.answer = static_cast<std::int32_t>(at - query.words.begin());
    }
    if (part == Part::train && query.example.answer < 0) {
      sink.skip("what is read of the document lacks the answer");
    } else {
      sink.add(std::move(query), reader.number());
    }
  }
}

Cloze::Query Cloze::query_of(const std::string& document, const std::string& question) const {
  Query query{.example = {.document = words.encode(document),
                          .question = words.encode(question),
                          .same = {}},
              .words = words.pieces(document),
              .question = question};
  const auto longest = static_cast<std::size_t>(recipe.data.longest);
  query.cut = query.words.size() > longest;
  query.words.resize(std::min(query.words.size(), longest));
  std::unordered_map<std::string_view, std::int32_t> first;
  for (const std::string& word : query.words) {
    const auto here = static_cast<std::int32_t>(query.example.same.size());
    query.example.same.push_back(first.emplace(word, here).first->second);
  }
  query.example.document.resize(query.words.size());
  return query;
}

Var Cloze::forward(Batch<Example> batch, const Pass& pass) const {
  std::vector<std::span<const std::int32_t>> documents, questions;
  for (const Example& example : batch) {
    documents.emplace_back(example.document);
    questions.emplace_back(example.question);
  }
  return net(joined(documents), joined(questions), pass);
}

std::vector<Objective<Cloze>> Cloze::objectives() const {
  return {{.part = {"loss"},
           .count = [](Batch<Example> batch) { return static_cast<double>(batch.size()); },
           .sum =
               [](Batch<Example> batch, const Var& pointed) {
                 const Var p = probability_of(pointed, answer_rows(batch));  // (B, 1)
                 return scale(sum(log(add_scalar(p, least))), -1);
               }}};
}

std::vector<Cloze::Output> Cloze::outputs(Batch<Example> batch, const Var& pointed) const {
  std::span<const float> rest = pointed.value().span<float>();
  std::vector<Output> all;
  for (const Example& example : batch) {
    all.push_back(ranked(rest.first(example.same.size()), example.same));
    rest = rest.subspan(example.same.size());
  }
  return all;
}

void Cloze::Score::add(const Example& example, const Output& words) {
  ++all;
  if (example.answer < 0) return;  // not in what is read: wrong
  ++answered;
  right += words.front().place == example.answer;
  for (const RankedWord& word : words) {
    if (word.place == example.answer) loss -= std::log(word.probability + least);
  }
}

std::vector<Report> Cloze::Score::reports(const Losses&) const {
  return {loss_report(loss / static_cast<double>(std::max<Dim>(answered, 1))),
          share_report("accuracy", right, all, "of all words of the document")};
}

Cloze::Query Cloze::parse(const Input& input) const {
  request_of<NoOptions>(input);
  const std::string& line = input.text;
  const std::size_t tab = line.find('\t');
  FOVEA_CHECK(tab != std::string::npos && line.find(cloze_blank, tab) != std::string::npos,
              "expected a document, a tab and a question with ", cloze_blank, ", found '", line,
              "'");
  Query query = query_of(line.substr(0, tab), line.substr(tab + 1));
  FOVEA_CHECK(!query.words.empty(), "the document has no words to answer '", query.question,
              "' with");
  return query;
}

Answer Cloze::answer(const Query& query, const Output& ranked) const {
  constexpr std::size_t most = 5;
  const auto word = [&](const RankedWord& r) {
    return query.words[static_cast<std::size_t>(r.place)];
  };
  Answer answer{.text = ranked.empty() ? "" : word(ranked.front()),
                .json = {{"question", query.question}, {"answers", Json::array()}},
                .cut = query.cut};
  for (std::size_t k = 0; k < std::min(most, ranked.size()); ++k) {
    answer.json["answers"].push_back(
        {{"text", word(ranked[k])}, {"probability", ranked[k].probability}});
  }
  return answer;
}

RunRecord Cloze::record(const Query& query, const RecordOptions& options) const {
  const NoTape no_tape;
  Probe probe(options.probe());
  const Batch<Example> batch(&query.example, 1);
  const Output ranked = outputs(batch, forward(batch, {.probe = &probe})).front();

  RunRecord record{.output = query.words[static_cast<std::size_t>(ranked.front().place)],
                   .sequences = {{"document", query.words},
                                 {"question", words.pieces(query.question)},
                                 {"blank", {std::string(cloze_blank)}}},
                   .cut = query.cut};
  std::vector<float> of_word(query.words.size(), 0), shades;
  for (const RankedWord& word : ranked) {
    of_word[static_cast<std::size_t>(word.place)] = word.probability;
  }
  for (const std::int32_t first : query.example.same) {
    shades.push_back(of_word[static_cast<std::size_t>(first)]);
  }
  record.documents.push_back({"words by their probability", {{1, query.words, shades}}});
  for (const AttentionRecord& seen : probe.records()) {
    const bool matching = seen.layer == "matching", on_question = seen.layer == "question";
    record.add(seen, 0, matching ? "question" : "blank", on_question ? "question" : "document");
    if (matching || !record.alignment) record.align(seen.layer, 0);
  }
  return record;
}

void Cloze::show(std::span<const Query> queries, const Examples<Example>&,
                 ShownExamples& shown) const {
  for (const Query& query : queries) {
    if (!query.words.empty()) shown.add(query.question, record(query, {}), query.answer);
  }
}

extern constexpr Task cloze_task = prediction_task<Cloze>();

}  // namespace fovea
