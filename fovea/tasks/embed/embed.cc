#include "fovea/tasks/embed/embed.h"

#include <algorithm>

#include "fovea/base/table_check.h"
#include "fovea/data/find_data.h"
#include "fovea/ops/matmul.h"
#include "fovea/tasks/encoder_record.h"
#include "fovea/tasks/evaluation.h"
#include "fovea/tasks/marked_text.h"

namespace fovea {
namespace {

PartReader pair_reader(const EmbedData& data, Part part) {
  const std::size_t files = files_of(data, part).size();
  FOVEA_CHECK(!has_part(data, part) || files == 2,
              "data: expected two files (texts that belong together), found ", files);
  return {data, part, "."};
}

Tokenizer learn_pair_words(const EmbedRecipe& recipe) {
  PartReader reader = pair_reader(recipe.data, Part::train);
  return learn_tokenizer(recipe.words, field_lines(reader, {0, 1}), recipe.data);
}

EmbedRecipe sized(EmbedRecipe recipe, const Tokenizer& words) {
  check(recipe);
  TextEncoderConfig& encoder = recipe.model.encoder;
  encoder.vocabulary = words.size();
  if (encoder.family == TextFamily::transformer && encoder.positions == Positions::learned) {
    recipe.data.longest = std::min(recipe.data.longest, encoder.longest - 2);
  }
  return recipe;
}

TextRows text_rows(Batch<EmbedExample> batch, Ids EmbedExample::*side) {
  std::vector<std::span<const std::int32_t>> texts;
  for (const EmbedExample& example : batch) texts.emplace_back(example.*side);
  return {joined(texts)};
}

/// Vectors one after the other as rows.
Tensor rows_of_vectors(const std::vector<float>& vectors, Dim rows) {
  return Tensor::from<float>({rows, rows == 0 ? 0 : std::ssize(vectors) / rows}, vectors);
}

/// How many rows of `asked` have the row of the same number nearest among `among`.
Dim found_own(const Tensor& asked, const Tensor& among) {
  Dim found = 0, row = 0;
  for (const auto& neighbours : nearest(asked, among, 1)) found += neighbours[0].row == row++;
  return found;
}

std::string numbers_of(const std::vector<float>& vector) {
  std::string text;
  for (const float x : vector) {
    text += formatted("%s%.6g", text.empty() ? "" : " ", static_cast<double>(x));
  }
  return text;
}

}  // namespace

void check(const EmbedRecipe& recipe) {
  TableCheck("data").sizes({{"longest", recipe.data.longest}});
  const TextEncoderConfig& encoder = recipe.model.encoder;
  FOVEA_CHECK(encoder.letters == 0, "model.encoder.letters: letters are not read here");
  FOVEA_CHECK(encoder.family != TextFamily::transformer ||
                  encoder.positions != Positions::learned || encoder.longest > 2,
              "model.encoder.longest: expected more than the 2 marks around a text, found ",
              encoder.longest);
  check(recipe.batch);
  check(recipe.model);
}

Embed::Embed(EmbedRecipe with, TokenizerMap texts, std::unique_ptr<Params> weights)
    : ExampleTask{{sized(std::move(with), texts.at("words")), texts, std::move(weights)}},
      words(texts.at("words")),
      net(params->scope(), recipe.model) {}

Embed Embed::make(EmbedRecipe recipe, const RunPlace& place) {
  auto [words, params] = begin_with(recipe.model.from, recipe.model.encoder, recipe.words, place,
                                    recipe.train.seed, [&] { return learn_pair_words(recipe); });
  return {std::move(recipe), {{"words", words}}, std::move(params)};
}

void Embed::read(const EmbedData& data, Part part, ExampleSink<Query>& sink) const {
  PartReader reader = pair_reader(data, part);
  for (std::vector<std::string> fields; reader.next(fields);) {
    sink.add({.example = {encode(fields[0]), encode(fields[1])}, .text = fields[0]},
             reader.number());
  }
}

Ids Embed::encode(std::string_view text, bool* cut) const {
  const TextLayout& layout = words.layout();
  return marked(words.encode(text), layout, recipe.data.longest + layout.single_count(), cut);
}

EmbedForward Embed::forward(Batch<Example> batch, const Pass& pass) const {
  EmbedForward vectors{.first = net(text_rows(batch, &Example::first), pass), .second = {}};
  if (!batch.front().second.empty()) vectors.second = net(text_rows(batch, &Example::second), pass);
  return vectors;
}

std::vector<Objective<Embed>> Embed::objectives() const {
  return {
      {.part = {"loss"},
       .count = [](Batch<Example> batch) { return static_cast<double>(batch.size()); },
       .sum = [this](Batch<Example>, const Forward& v) { return net.loss(v.first, v.second); }}};
}

std::vector<Embed::Output> Embed::outputs(Batch<Example> batch, const Forward& vectors) const {
  std::vector<Output> all;
  for (Dim i = 0; i < std::ssize(batch); ++i) {
    Output& one = all.emplace_back(Output{row_of(vectors.first.value(), i), {}});
    if (vectors.second.defined()) one.second = row_of(vectors.second.value(), i);
  }
  return all;
}

void Embed::Score::add(const Example&, const Output& vectors) {
  ++pairs;
  first.insert(first.end(), vectors.first.begin(), vectors.first.end());
  second.insert(second.end(), vectors.second.begin(), vectors.second.end());
}

std::vector<Report> Embed::Score::reports(const Losses&) const {
  const Tensor a = rows_of_vectors(first, pairs), b = rows_of_vectors(second, pairs);
  const Dim there = pairs == 0 ? 0 : found_own(a, b), back = pairs == 0 ? 0 : found_own(b, a);
  std::vector<Report> reports = {
      share_report("accuracy", there + back, 2 * pairs, "the mean of both directions"),
      share_report("accuracy", there, pairs,
                   "the nearest of all second texts is the first one's own"),
      share_report("accuracy-back", back, pairs,
                   "the nearest of all first texts is the second one's own")};
  reports[0].shown = Report::Shown::in_validation;
  reports[1].shown = reports[2].shown = Report::Shown::in_test;
  return reports;
}

Embed::Query Embed::parse(const Input& input) const {
  Query query{.example = {}, .text = input.text, .request = request_of<EmbedRequest>(input)};
  query.example.first = encode(input.text, &query.cut);
  return query;
}

EmbeddedFile Embed::embedded(const std::string& file) const {
  EmbeddedFile made;
  std::vector<Query> queries;
  TextReader reader(resolve(file, "."));
  for (std::string line; reader.next(line);) {
    queries.push_back({.example = {.first = encode(line), .second = {}}, .text = {}});
    made.lines.push_back(line);
  }
  FOVEA_CHECK(!queries.empty(), file, ": has no lines to search among");
  std::vector<float> vectors;
  for (const Output& one : outputs_of<Embed>(*this, queries)) {
    vectors.insert(vectors.end(), one.first.begin(), one.first.end());
  }
  made.vectors = rows_of_vectors(vectors, std::ssize(queries));
  return made;
}

Answer Embed::answer(const Query& query, const Output& vectors) const {
  constexpr Dim most = 5;
  Answer answer{.text = {},
                .json = {{"text", query.text}, {"tokens", query.example.first.size()}},
                .cut = query.cut};
  if (query.request.nearest.empty()) {
    answer.text = numbers_of(vectors.first);
    answer.json["vector"] = vectors.first;
    return answer;
  }
  const auto among =
      files->get(query.request.nearest, [&] { return embedded(query.request.nearest); });
  const auto found = nearest(rows_of_vectors(vectors.first, 1), among->vectors, most).front();
  const auto line_of = [&](const Neighbour& one) {
    return among->lines[static_cast<std::size_t>(one.row)];
  };
  answer.json["nearest"] = Json::array();
  for (const Neighbour& one : found) {
    answer.json["nearest"].push_back(
        {{"line", one.row + 1}, {"text", line_of(one)}, {"likeness", one.likeness}});
  }
  answer.text =
      formatted("%.3f\t", static_cast<double>(found.front().likeness)) + line_of(found.front());
  return answer;
}

RunRecord Embed::record(const Query& query, const RecordOptions& options) const {
  FOVEA_CHECK(!net.encoder->looks().empty(), "look: recurrent layers have no attention to show");
  RunRecord record{.output = "a vector", .cut = query.cut};
  record_text(*net.encoder, words, query.example.first, options, record);
  const std::string last = net.encoder->looks().back();
  if (record.find(last)) {
    record.documents.push_back(shaded_by(record, last, "attention of the last layer"));
  }
  return record;
}

void Embed::show(std::span<const Query> queries, const Examples<Example>& examples,
                 ShownExamples& shown) const {
  std::vector<Query> all;
  for (Dim e = 0; e < examples.size(); ++e) all.push_back({.example = examples[e], .text = {}});
  std::vector<float> asked, among;
  for (const Output& one : outputs_of<Embed>(*this, all)) {
    if (asked.size() < queries.size() * one.first.size()) {
      asked.insert(asked.end(), one.first.begin(), one.first.end());
    }
    among.insert(among.end(), one.second.begin(), one.second.end());
  }
  const auto found = nearest(rows_of_vectors(asked, std::ssize(queries)),
                             rows_of_vectors(among, examples.size()), 1);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Example other = examples[found[i].front().row];
    shown.samples.push_back({words.decode(queries[i].example.first), words.decode(other.second),
                             words.decode(queries[i].example.second)});
  }
  if (!queries.empty()) {
    record_last_look(*net.encoder, words, queries.front().example.first, shown.first);
  }
}

std::vector<std::vector<Neighbour>> nearest(const Tensor& asked, const Tensor& among, Dim count) {
  const NoTape no_tape;
  constexpr Dim at_once = 256;  // so that the table of products stays small
  std::vector<std::vector<Neighbour>> all;
  for (Dim begin = 0; begin < asked.rows(); begin += at_once) {
    const Tensor some = asked.slice(begin, std::min(begin + at_once, asked.rows()));
    const Tensor products = matmul(Var(some), Var(among), {.transpose_b = true}).value();
    for (Dim i = 0; i < products.rows(); ++i) {
      std::vector<Neighbour>& row = all.emplace_back();
      for (Dim j = 0; j < products.cols(); ++j) row.push_back({j, products.view<float>()[i][j]});
      const auto kept = std::min<std::ptrdiff_t>(count, products.cols());
      std::partial_sort(row.begin(), row.begin() + kept, row.end(),
                        [](const Neighbour& a, const Neighbour& b) {
                          return a.likeness != b.likeness ? a.likeness > b.likeness : a.row < b.row;
                        });
      row.resize(static_cast<std::size_t>(kept));
    }
  }
  return all;
}

}  // namespace fovea
