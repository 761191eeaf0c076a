#include "fovea/tasks/mask/mask.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "fovea/base/table_check.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/softmax.h"
#include "fovea/tasks/encoder_record.h"
#include "fovea/tasks/evaluation.h"
#include "fovea/tasks/marked_text.h"

namespace fovea {
namespace {

// What draws are for.
constexpr std::uint64_t hiding = 0x3a5c, pairing = 0x91e7;

MaskRecipe sized(MaskRecipe recipe, const Tokenizer& words) {
  check(recipe);
  FOVEA_CHECK(words.control(mask_name), "words.controls: expected the mask, ", mask_name);
  TextEncoderConfig& encoder = recipe.model.encoder;
  encoder.vocabulary = words.size();
  if (recipe.model.next_sentence) encoder.kinds = std::max<Dim>(encoder.kinds, 2);
  return recipe;
}

/// A column of all examples of a batch.
Sequences mask_column(Batch<MaskExample> batch, Ids MaskExample::*column) {
  std::vector<std::span<const std::int32_t>> rows;
  for (const MaskExample& example : batch) rows.emplace_back(example.*column);
  return joined(rows);
}

/// The rows of a batch whose tokens are hidden.
Tensor hidden_rows(Batch<MaskExample> batch) {
  Ids rows;
  std::int32_t begin = 0;
  for (const MaskExample& example : batch) {
    for (const std::int32_t place : example.places) rows.push_back(begin + place);
    begin += static_cast<std::int32_t>(example.tokens.size());
  }
  return Tensor::from<std::int32_t>({std::ssize(rows)}, rows);
}

Dim second_parts(Batch<MaskExample> batch) {
  return std::count_if(batch.begin(), batch.end(),
                       [](const MaskExample& example) { return example.follows >= 0; });
}

/// The k-th example, counted from 0, that has a second part.
std::uint32_t with_second(const Examples<MaskExample>& examples, std::uint32_t k) {
  const auto numbers =
      std::views::iota(std::uint32_t(0), static_cast<std::uint32_t>(examples.size()));
  return *std::ranges::partition_point(numbers, [&](std::uint32_t example) {
    return static_cast<std::uint32_t>(examples[example].pairs) <= k;
  });
}

/// Gives half of the examples with a second part that of another document instead; whether it did.
bool exchange_second(const Examples<MaskExample>& examples, std::uint32_t number,
                     const MaskRecipe& recipe, MaskExample& example) {
  const Draws draws{recipe.train.seed ^ pairing, number};
  if (example.second.empty() || draws.below(0, 2) == 0) return false;
  const auto all = static_cast<std::uint32_t>(examples[examples.size() - 1].pairs);
  const std::uint32_t other = with_second(examples, draws.below(1, all));
  if (examples.line(other) == examples.line(number)) return false;
  example.second = examples[other].second;
  const auto room = static_cast<std::size_t>(recipe.data.longest - 3 - std::ssize(example.tokens));
  example.second.resize(std::min(example.second.size(), room));
  return true;
}

/// The `count` likeliest of a row of probabilities, of tokens that text may have.
std::vector<FilledToken> candidates_of(const float* p, const Tokenizer& words, std::size_t count) {
  std::vector<FilledToken> tokens;
  for (std::int32_t id = 0; id < words.size(); ++id) {
    if (!words.is_control(id) && id != words.special().unknown) tokens.push_back({id, p[id]});
  }
  const auto shown = static_cast<std::ptrdiff_t>(std::min(count, tokens.size()));
  std::partial_sort(tokens.begin(), tokens.begin() + shown, tokens.end(),
                    [](const FilledToken& a, const FilledToken& b) {
                      return a.probability != b.probability ? a.probability > b.probability
                                                            : a.id < b.id;
                    });
  tokens.resize(static_cast<std::size_t>(shown));
  return tokens;
}

}  // namespace

void check(const MaskRecipe& recipe) {
  const TextEncoderConfig& encoder = recipe.model.encoder;
  const MaskData& data = recipe.data;
  TableCheck("data").at_least("longest", 8, data.longest);
  FOVEA_CHECK(!(data.pack && recipe.model.next_sentence),
              "data.pack: next sentences are of one document; leave out data.pack or ",
              "model.next_sentence");
  FOVEA_CHECK(!encoder.causal, "model.encoder.causal: what looks back only cannot fill in masks");
  FOVEA_CHECK(encoder.letters == 0, "model.encoder.letters: the letters of a mask are not known");
  FOVEA_CHECK(encoder.family != TextFamily::transformer ||
                  encoder.positions != Positions::learned || data.longest <= encoder.longest,
              "data.longest: contexts of ", data.longest, " tokens, but model.encoder.longest has ",
              encoder.longest, " places");
  FOVEA_CHECK(recipe.objective.share > 0 && recipe.objective.share < 1,
              "objective.share: expected a share between 0 and 1, found ", recipe.objective.share);
  check(recipe.batch);
  check(recipe.model);
}

Mask::Mask(MaskRecipe with, TokenizerMap texts, std::unique_ptr<Params> weights)
    : ExampleTask{{sized(std::move(with), texts.at("words")), texts, std::move(weights)}},
      words(texts.at("words")),
      net(params->scope(), recipe.model) {}

MaskExample Mask::view(const Examples<Example>& examples, const Visit& visit) const {
  Example example = examples[visit.example];
  const bool exchanged = exchange_second(examples, visit.example, recipe, example);
  const bool alone = example.second.empty();
  MarkedText text = alone ? marked_text(example.tokens, words.layout())
                          : marked_pair(example.tokens, example.second, words.layout());
  const std::uint64_t epoch =
      recipe.objective.dynamic ? static_cast<std::uint64_t>(visit.epoch) : 0;
  Masked hidden = masked(text.ids, words, recipe.objective,
                         {recipe.train.seed ^ hiding, epoch << 32 | visit.example});
  return {.tokens = std::move(hidden.tokens),
          .kinds = std::move(text.kinds),
          .places = std::move(hidden.places),
          .targets = std::move(hidden.targets),
          .follows = alone ? -1 : !exchanged};
}

MaskForward Mask::forward(Batch<Example> batch, const Pass& pass) const {
  TextRows rows{mask_column(batch, &Example::tokens)};
  if (recipe.model.encoder.kinds >= 2) rows.kinds = mask_column(batch, &Example::kinds).ids;
  const Var h = (*net.encoder)(rows, pass);  // (N, W)
  Forward forward{.hidden = net.hidden(h, hidden_rows(batch)), .logits = {}, .next = {}};
  if (!pass.rng) forward.logits = net.logits(forward.hidden);
  if (second_parts(batch) > 0) forward.next = net.next_logits(h, rows.tokens.segments, pass);
  return forward;
}

std::vector<Objective<Mask>> Mask::objectives() const {
  const Objective<Mask> hidden = {
      .part = {"loss"},
      .count =
          [](Batch<Example> batch) {
            return static_cast<double>(mask_column(batch, &Example::targets).ids.size());
          },
      .sum =
          [this](Batch<Example> batch, const Forward& forward) {
            const Tensor targets = mask_column(batch, &Example::targets).ids;
            if (!forward.logits.defined()) return net.loss(forward.hidden, targets);
            return cross_entropy(forward.logits, targets, {.reduction = Reduction::sum});
          }};
  const Objective<Mask> next = {
      .part = {"next"},
      .count = [](Batch<Example> batch) { return static_cast<double>(second_parts(batch)); },
      .sum =
          [](Batch<Example> batch, const Forward& forward) {
            Ids follows;
            for (const Example& example : batch) follows.push_back(example.follows);
            return cross_entropy(forward.next,
                                 Tensor::from<std::int32_t>({std::ssize(follows)}, follows),
                                 {.reduction = Reduction::sum});
          }};
  if (net.next) return {hidden, next};
  return {hidden};
}

std::vector<MaskOutput> Mask::outputs(Batch<Example> batch, const Forward& forward) const {
  constexpr std::size_t candidates = 5;
  const Tensor likeliest = argmax(forward.logits.value());                                  // (M)
  const Tensor follows = forward.next.defined() ? argmax(forward.next.value()) : Tensor();  // (B)
  const bool asked = batch.front().targets.empty();  // questions are not mixed with examples
  const Tensor p = asked ? softmax(forward.logits).value() : Tensor();  // (M, V)
  std::vector<Output> all;
  Dim row = 0;
  for (const Example& example : batch) {
    Output output;
    if (example.follows >= 0) output.follows = follows.span<std::int32_t>()[all.size()];
    for (std::size_t i = 0; i < example.places.size(); ++i, ++row) {
      output.likeliest.push_back(likeliest.data<std::int32_t>()[row]);
      if (asked)
        output.candidates.push_back(candidates_of(p.view<float>()[row], words, candidates));
    }
    all.push_back(std::move(output));
  }
  return all;
}

void Mask::Score::add(const Example& example, const Output& output) {
  for (std::size_t i = 0; i < example.targets.size(); ++i) {
    ++hidden;
    found += output.likeliest[i] == example.targets[i];
  }
  if (example.follows < 0) return;
  ++pairs;
  pairs_right += output.follows == example.follows;
}

std::vector<Report> Mask::Score::reports(const Losses& losses) const {
  const std::string how = concat("one fixed masking of ", 100 * task.recipe.objective.share, "%");
  const double loss = losses.mean(0);
  Report perplexity;
  perplexity.figure = {"perplexity", std::exp(loss), false};
  perplexity.text = formatted("perplexity = %.2f (%.4f nats)", std::exp(loss), loss);
  perplexity.signature = how;
  perplexity.shown = Report::Shown::in_test;
  std::vector<Report> reports = {loss_report(loss), share_report("accuracy", found, hidden, how),
                                 perplexity};
  if (task.net.next) {
    reports.push_back(share_report("next-accuracy", pairs_right, pairs,
                                   "whether the second part followed; half of them did"));
  }
  return reports;
}

Mask::Query Mask::query_of(std::string line) const {
  Query query{.example = {}, .text = std::move(line)};
  Example& example = query.example;
  example.tokens =
      marked(words.encode_masked(query.text), words.layout(), recipe.data.longest, &query.cut);
  example.kinds.resize(example.tokens.size());
  for (std::size_t i = 0; i < example.tokens.size(); ++i) {
    if (example.tokens[i] == *words.control(mask_name)) {
      example.places.push_back(static_cast<std::int32_t>(i));
    }
  }
  return query;
}

Mask::Query Mask::parse(const Input& input) const {
  request_of<NoOptions>(input);
  std::string line = input.text;
  const std::string own = words.piece(*words.control(mask_name));  // perhaps "<mask>"
  for (std::size_t at = line.find(own); at != std::string::npos;
       at = line.find(own, at + mask_name.size())) {
    line.replace(at, own.size(), mask_name);
  }
  Query query = query_of(std::move(line));
  FOVEA_CHECK(!query.example.places.empty(), "expected ", mask_name, " in the ",
              query.cut ? concat("first ", recipe.data.longest, " tokens of the ") : "",
              "line, found '", query.text, "'");
  return query;
}

std::string Mask::word_of(const FilledToken& token) const {
  const std::string word = words.decode(std::span(&token.id, 1));
  return word.substr(std::min(word.find_first_not_of(' '), word.size()));
}

std::string Mask::filled_in(const Query& query, const Output& output) const {
  std::string text;
  std::size_t at = 0;
  for (const auto& candidates : output.candidates) {
    const std::size_t mask = query.text.find(mask_name, at);
    text += query.text.substr(at, mask - at) + word_of(candidates.front());
    at = mask + mask_name.size();
  }
  return text + query.text.substr(at);
}

Answer Mask::answer(const Query& query, const Output& output) const {
  if (query.text.empty()) return {.text = words.decode(output.likeliest), .json = {}};
  Answer answer{.text = {},
                .json = {{"text", query.text},
                         {"filled", filled_in(query, output)},
                         {"masks", Json::array()}},
                .cut = query.cut};
  for (const auto& candidates : output.candidates) {
    Json mask = Json::array();
    if (!answer.text.empty()) answer.text += " |";
    for (const FilledToken& token : candidates) {
      const std::string word = word_of(token);
      mask.push_back({{"word", word}, {"probability", token.probability}});
      answer.text += formatted("%s%s %.3f", answer.text.empty() ? "" : " ", word.c_str(),
                               static_cast<double>(token.probability));
    }
    answer.json["masks"].push_back(std::move(mask));
  }
  return answer;
}

RunRecord Mask::record(const Query& query, const RecordOptions& options) const {
  FOVEA_CHECK(!net.encoder->looks().empty(), "look: recurrent layers have no attention to show");
  const Output output = output_of(*this, query);
  RunRecord record{.output = filled_in(query, output), .cut = query.cut};
  record_text(*net.encoder, words, query.example.tokens, options, record);
  const std::string last = net.encoder->looks().back();
  record.align(last);
  if (!record.alignment) return record;
  for (std::size_t i = 0; i < output.candidates.size(); ++i) {
    const std::int32_t place = query.example.places[i];
    record.documents.push_back(shaded_by(
        record, last, concat("for ", word_of(output.candidates[i].front())), place, place + 1));
  }
  return record;
}

void Mask::show(std::span<const Query> queries, const Examples<Example>&,
                ShownExamples& shown) const {
  constexpr std::size_t longest = 20;
  std::vector<Query> hidden;
  for (const Query& query : queries) {
    const std::span<const std::int32_t> all = query.example.tokens;
    const auto text = all.first(std::min(longest, all.size()));
    const std::size_t middle = text.size() / 2;
    hidden.push_back(query_of(concat(words.decode(text.first(middle)), " ", mask_name, " ",
                                     words.decode(text.subspan(middle + 1)))));
    shown.samples.push_back({hidden.back().text, "", words.decode(text.subspan(middle, 1))});
  }
  if (hidden.empty()) return;
  const auto found = outputs_of<Mask>(*this, hidden);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].candidates.empty()) continue;
    const std::int32_t likeliest = found[i].candidates.front().front().id;
    shown.samples[i].output = words.decode(std::span(&likeliest, 1));
  }
  record_last_look(*net.encoder, words, hidden[0].example.tokens, shown.first);
}

}  // namespace fovea
