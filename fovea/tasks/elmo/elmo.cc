#include "fovea/tasks/elmo/elmo.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/table_check.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/softmax.h"
#include "fovea/tasks/task_entry.h"
#include "fovea/text/sentences.h"

namespace fovea {
namespace {

PartReader text_reader(const ElmoData& data, Part part) {
  const std::size_t files = files_of(data, part).size();
  FOVEA_CHECK(files == 1, ErrorKind::bad_setting, "data: expected one file of text, found ", files);
  return {data, part, "."};
}

ElmoRecipe sized(ElmoRecipe recipe, const TokenizerMap& tokenizers) {
  check(recipe);
  recipe.model.vocabulary = tokenizers.at("words").size();
  recipe.model.letters = tokenizers.at("letters").size();
  return recipe;
}

/// -log P(ids[r + step]) of each row r of (N, W) that has such a neighbour.
std::vector<double> minus_logs(const OutputLayer& out, const Var& rows, const Ids& ids,
                               std::ptrdiff_t step) {
  const Tensor logs = log_softmax(out.logits(rows)).value();  // (N, V)
  std::vector<double> all;
  for (std::ptrdiff_t r = 0; r < std::ssize(ids); ++r) {
    const std::ptrdiff_t next = r + step;
    if (next < 0 || next >= std::ssize(ids)) continue;
    all.push_back(-logs.view<float>()[r][ids[static_cast<std::size_t>(next)]]);
  }
  return all;
}

double sum_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

double perplexity_of(double sum, double count) { return std::exp(sum / std::max(count, 1.0)); }

double perplexity_of(const std::vector<double>& minus_logs) {
  return perplexity_of(sum_of(minus_logs), static_cast<double>(minus_logs.size()));
}

Report perplexity_report(const std::string& name, double sum, double count, Report::Shown shown) {
  const double value = perplexity_of(sum, count);
  return {{name, value, false},
          formatted("%s = %.2f (%.0f tokens)", name.c_str(), value, count),
          "words of the vocabulary, the mark at the end counted; others are one unknown word",
          shown};
}

}  // namespace

void check(const ElmoRecipe& recipe) {
  TableCheck("data").sizes({{"longest", recipe.data.longest}});
  FOVEA_CHECK(recipe.words.kind == TokenizerKind::words, ErrorKind::bad_setting,
              "words.kind: ELMo predicts whole words; expected \"words\", found \"",
              name_of(recipe.words.kind), "\"");
  check(recipe.batch);
  check(recipe.model);
}

ElmoModel::ElmoModel(ElmoRecipe with, TokenizerMap texts, std::unique_ptr<Params> weights)
    : ExampleTask{{sized(std::move(with), texts), texts, std::move(weights)}},
      words(texts.at("words")),
      letters(texts.at("letters")),
      net(params->scope(), recipe.model) {}

ElmoModel ElmoModel::make(ElmoRecipe recipe, const RunPlace& place) {
  const auto learn = [&](const TokenizerConfig& config) {
    PartReader reader = text_reader(recipe.data, Part::train);
    return learn_tokenizer(config, field_lines(reader, {0}), recipe.data);
  };
  // Rarer letters teach what an unknown one is.
  const TokenizerConfig spelling = {.kind = TokenizerKind::characters,
                                    .vocabulary = 0,
                                    .form = recipe.words.form,
                                    .min_count = 3};
  auto [words, params] = begin_anew(place, recipe.train.seed, [&] { return learn(recipe.words); });
  const Tokenizer letters = tokenizer_of_run(place, "letters", [&] { return learn(spelling); });
  return {std::move(recipe), {{"words", words}, {"letters", letters}}, std::move(params)};
}

void ElmoModel::read(const ElmoData& data, Part part, ExampleSink<Query>& sink) const {
  PartReader reader = text_reader(data, part);
  for (std::vector<std::string> fields; reader.next(fields);) {
    const std::vector<std::string> texts =
        recipe.data.documents ? sentences_of(fields.front()) : std::vector{fields.front()};
    for (const std::string& text : texts) {
      Query query = query_of(text);
      if (!query.words.empty()) sink.add(std::move(query), reader.number());
    }
  }
}

ElmoQuery ElmoModel::query_of(std::string text) const {
  Query query{.example = {}, .text = std::move(text), .words = {}};
  query.words = words.pieces(query.text);
  const auto longest = static_cast<std::size_t>(recipe.data.longest);
  query.cut = query.words.size() > longest;
  query.words.resize(std::min(query.words.size(), longest));
  query.example = encode(query.words);
  return query;
}

ElmoExample ElmoModel::encode(std::span<const std::string> of) const {
  ElmoExample text;
  const auto add = [&](std::int32_t id, Ids spelled) {
    text.ids.push_back(id);
    text.letters.push_back(std::move(spelled));
  };
  add(words.special().begin, {letters.special().begin});
  for (const std::string& word : of) {
    const Ids id = words.encode(word);
    Ids spelled = letters.encode(word);
    spelled.insert(spelled.begin(), letters.special().begin);
    spelled.push_back(letters.special().end);
    add(id.size() == 1 ? id.front() : words.special().unknown, std::move(spelled));
  }
  add(words.special().end, {letters.special().end});
  return text;
}

ElmoForward ElmoModel::forward(Batch<Example> batch, const Pass& pass) const {
  std::vector<std::span<const std::int32_t>> ids, spelled;
  for (const Example& text : batch) {
    ids.emplace_back(text.ids);
    spelled.insert(spelled.end(), text.letters.begin(), text.letters.end());
  }
  const Sequences tokens = joined(ids);
  return {tokens, net(joined(spelled), tokens.segments, pass)};
}

std::vector<Objective<ElmoModel>> ElmoModel::objectives() const {
  const auto count = [](Batch<Example> batch) {
    std::size_t tokens = 0;
    for (const Example& text : batch) tokens += text.ids.size() - 1;
    return static_cast<double>(tokens);
  };
  const auto sum_of = [this](Direction direction) {
    return [this, direction](Batch<Example>, const Forward& f) {
      return net.loss(direction, f.layers, f.tokens.ids, f.tokens.segments);
    };
  };
  return {{.part = {"loss"}, .count = count, .sum = sum_of(Direction::forward)},
          {.part = {"loss.backward"}, .count = count, .sum = sum_of(Direction::reverse)}};
}

std::vector<ElmoModel::Output> ElmoModel::outputs(Batch<Example> batch,
                                                  const Forward& forward) const {
  const Segments& texts = forward.tokens.segments;
  std::vector<Output> all;
  for (Dim t = 0; t < std::ssize(batch); ++t) {
    // Text by text, so that the table of probabilities stays small.
    const auto rows = [&](const Var& h) { return slice_rows(h, texts.begin(t), texts.end(t)); };
    const Ids& ids = batch[static_cast<std::size_t>(t)].ids;
    all.push_back({minus_logs(net.out, rows(forward.layers.forward.back()), ids, 1),
                   minus_logs(net.out, rows(forward.layers.backward.back()), ids, -1)});
  }
  return all;
}

void ElmoModel::Score::add(const Example&, const Output& text) {
  forward += sum_of(text.forward);
  backward += sum_of(text.backward);
  tokens += text.forward.size();
}

std::vector<Report> ElmoModel::Score::reports(const Losses& losses) const {
  std::vector<Report> reports;
  const auto add = [&](double forwards, double backwards, double count, Report::Shown shown) {
    reports.push_back(perplexity_report("perplexity", forwards, count, shown));
    reports.push_back(perplexity_report("perplexity.backward", backwards, count, shown));
  };
  const double both = losses.sums[0] + losses.sums[1], count = losses.counts[0];
  reports.push_back(loss_report(both / (2 * std::max(count, 1.0))));
  add(losses.sums[0], losses.sums[1], count, Report::Shown::in_validation);
  add(forward, backward, static_cast<double>(tokens), Report::Shown::in_test);
  return reports;
}

ElmoQuery ElmoModel::parse(const Input& input) const {
  request_of<NoOptions>(input);
  return query_of(input.text);
}

Answer ElmoModel::answer(const Query& query, const Output& text) const {
  const double forward = perplexity_of(text.forward), backward = perplexity_of(text.backward);
  return {.text = formatted("%.2f\t%.2f", forward, backward),
          .json = {{"text", query.text}, {"forward", forward}, {"backward", backward}},
          .cut = query.cut};
}

RunRecord ElmoModel::record(const Query& query, const RecordOptions&) const {
  const Output text = output_of(*this, query);
  // The first number forwards is of the first word, the first one backwards of the first mark.
  const std::vector<float> before(text.forward.begin(), text.forward.end() - 1);
  const std::vector<float> behind(text.backward.begin() + 1, text.backward.end());
  RunRecord record{.output = "how little each word was foreseen", .cut = query.cut};
  record.documents.push_back({"by the words before it", {{1, query.words, before}}});
  record.documents.push_back({"by the words after it", {{1, query.words, behind}}});
  return record;
}

void ElmoModel::show(std::span<const Query> queries, const Examples<Example>&,
                     ShownExamples& shown) const {
  const NoTape no_tape;
  for (const Query& query : queries) {
    const Ids& ids = query.example.ids;
    const std::size_t last = (ids.size() - 1) / 2;  // of the beginning
    // Forwards nothing is known of what follows, so that the whole text can be read.
    const Var h = forward({&query.example, 1}, {}).layers.forward.back();
    const auto row = static_cast<Dim>(last);
    const Tensor next = argmax(net.out.logits(slice_rows(h, row, row + 1)).value());
    shown.samples.push_back({words.decode(std::span(ids).first(last + 1)),
                             words.piece(next.data<std::int32_t>()[0]),
                             words.piece(ids[last + 1])});
  }
}

std::vector<Tensor> ElmoModel::features(Batch<Example> texts) const {
  const NoTape no_tape;
  const Forward read = forward(texts, {});
  Ids inside;  // rows without the marks
  for (Dim t = 0; t < std::ssize(texts); ++t) {
    for (Dim row = read.tokens.segments.begin(t) + 1; row + 1 < read.tokens.segments.end(t);
         ++row) {
      inside.push_back(static_cast<std::int32_t>(row));
    }
  }
  const Tensor rows = Tensor::from<std::int32_t>({std::ssize(inside)}, inside);
  std::vector<Tensor> features;
  for (const Var& layer : read.layers.joined()) {
    features.push_back(gather_rows(layer, rows).value());
  }
  return features;
}

extern constexpr Task elmo_task = prediction_task<ElmoModel>();

}  // namespace fovea
