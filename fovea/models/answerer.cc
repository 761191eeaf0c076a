#include "fovea/models/answerer.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include "fovea/base/table_check.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

constexpr Dim overlap_features = 4;
using WordSet = std::unordered_set<std::int32_t>;
using Neighbours = std::set<std::pair<std::int32_t, std::int32_t>>;

/// Which text a token is of, and whether it stands in the other, too.
constexpr std::int32_t of_question = 0, and_other = 2;

AnswererConfig completed(AnswererConfig c) {
  if (c.encoder.family != TextFamily::transformer) {
    c.match = false;
    return c;
  }
  if (c.encoder.kinds == 0 && c.told) c.encoder.kinds = c.match ? 4 : 2;
  FOVEA_CHECK(!c.match || c.encoder.kinds >= 4, ErrorKind::bad_setting,
              "model.match: the encoder tells only ", c.encoder.kinds,
              " kinds of tokens apart, and that takes 4; set match = false");
  return c;
}

WordSet words_of(std::span<const std::int32_t> ids, std::int32_t unknown) {
  WordSet words(ids.begin(), ids.end());
  words.erase(unknown);  // unknown ones need not be the same
  return words;
}

Neighbours neighbours_of(std::span<const std::int32_t> ids) {
  Neighbours all;
  for (std::size_t i = 1; i < ids.size(); ++i) all.emplace(ids[i - 1], ids[i]);
  return all;
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

template <class Set>
double common(const Set& a, const Set& b) {
  return static_cast<double>(
      std::count_if(a.begin(), a.end(), [&](const auto& one) { return b.contains(one); }));
}

}  // namespace

void check(const AnswererConfig& c) {
  check(c.encoder, "model.encoder");
  const TableCheck model("model");
  model.sizes({{"hidden", c.hidden}});
  model.shares({{"dropout", c.dropout}});
}

Answerer::Answerer(Scope s, const AnswererConfig& c, AnswerMarks around)
    : config(completed(c)),
      encoder(TextEncoder::make(s / "encoder", config.encoder)),
      out(s / "out", c.kind == AnswerKind::span ? encoder->width() : c.hidden,
          c.kind == AnswerKind::span ? 2 : 1),
      marks(std::move(around)) {
  if (c.kind == AnswerKind::span) return;
  if (c.overlap) rarity = s.buffer("rarity", {c.encoder.vocabulary}, init::ones());
  merged.emplace(s / "merged", 2 * encoder->width() + (c.overlap ? overlap_features : 0), c.hidden,
                 LinearConfig{.activation = Activation::tanh});
}

TextRows Answerer::rows_of(std::span<const AnswerPair> pairs) const {
  std::vector<Ids> rows;
  Ids kinds;
  for (const AnswerPair& pair : pairs) {
    Ids& ids = rows.emplace_back();
    const WordSet asked = words_of(pair.question, marks.unknown);
    const WordSet told = words_of(pair.text, marks.unknown);
    const auto add = [&](std::int32_t id, std::int32_t of, const WordSet* other) {
      ids.push_back(id);
      kinds.push_back(of + (config.match && other && other->contains(id) ? and_other : 0));
    };
    for (const std::int32_t id : marks.before) add(id, of_question, nullptr);
    for (const std::int32_t id : pair.question) add(id, of_question, &told);
    for (const std::int32_t id : marks.between) add(id, of_question, nullptr);
    for (const std::int32_t id : pair.text) add(id, marks.text_kind, &asked);
    for (const std::int32_t id : marks.behind) add(id, marks.text_kind, nullptr);
  }
  const bool told = config.encoder.kinds >= 2;
  return {joined(rows),
          told ? Tensor::from<std::int32_t>({static_cast<Dim>(kinds.size())}, kinds) : Tensor()};
}

Var Answerer::scores(std::span<const AnswerPair> pairs, const Pass& pass) const {
  const TextRows rows = rows_of(pairs);
  const Segments& segments = rows.tokens.segments;
  const Var h = (*encoder)(rows, pass);  // (N, W)
  std::vector<Var> features = {segment_pool(h, segments, Pooling::mean),
                               segment_pool(h, segments, Pooling::max)};
  if (config.overlap) features.push_back(overlap(pairs).to(h.dtype()));
  const Var together = (*merged)(concat_columns(features));  // (P, hidden)
  return out(dropout(together, config.dropout, pass.rng));
}

SpanPointers Answerer::point(std::span<const AnswerPair> pairs, const Pass& pass) const {
  const TextRows rows = rows_of(pairs);
  const Segments& segments = rows.tokens.segments;
  Ids places;
  std::vector<Dim> lengths;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto text = static_cast<Dim>(pairs[p].text.size());
    const Dim first = segments.begin(static_cast<Dim>(p));
    const Dim last = segments.end(static_cast<Dim>(p)) - std::ssize(marks.behind);
    places.push_back(static_cast<std::int32_t>(first));
    for (Dim r = last - text; r < last; ++r) places.push_back(static_cast<std::int32_t>(r));
    lengths.push_back(1 + text);
  }
  const Var h = (*encoder)(rows, pass);
  const Var asked =
      gather_rows(h, Tensor::from<std::int32_t>({static_cast<Dim>(places.size())}, places));
  const Segments of_pairs = Segments::of_lengths(lengths);
  const Var logits = out(dropout(asked, config.dropout, pass.rng));  // (rows, 2)
  const Var p = segment_softmax(logits, of_pairs);
  return {columns(p, 0, 1), columns(p, 1, 2), of_pairs};
}

Tensor Answerer::overlap(std::span<const AnswerPair> pairs) const {
  Tensor features = Tensor::empty({static_cast<Dim>(pairs.size()), overlap_features});
  const Tensor weights = rarity.value().to(DType::f64);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const WordSet asked = words_of(pairs[p].question, marks.unknown);
    const WordSet told = words_of(pairs[p].text, marks.unknown);
    double found = 0, all = 0;
    Ids sorted(asked.begin(), asked.end());  // so that the sum has one order
    std::sort(sorted.begin(), sorted.end());
    for (const std::int32_t id : sorted) {
      const double weight = weights.data<double>()[id];
      all += weight;
      if (told.contains(id)) found += weight;
    }
    const Neighbours in_question = neighbours_of(pairs[p].question);
    float* row = features.mutable_view<float>()[static_cast<Dim>(p)];
    row[0] = static_cast<float>(share(common(asked, told), static_cast<double>(asked.size())));
    row[1] = static_cast<float>(share(found, all));
    row[2] = static_cast<float>(share(common(in_question, neighbours_of(pairs[p].text)),
                                      static_cast<double>(in_question.size())));
    row[3] = static_cast<float>(share(common(told, asked), static_cast<double>(told.size())));
  }
  return features;
}

void Answerer::count(std::span<const Ids> sentences) {
  if (!rarity.defined()) return;
  std::vector<double> with(static_cast<std::size_t>(rarity.value().size()), 1);
  for (const Ids& ids : sentences) {
    for (const std::int32_t id : words_of(ids, marks.unknown)) ++with[static_cast<std::size_t>(id)];
  }
  const double all = static_cast<double>(sentences.size()) + 1;
  Tensor to = rarity.value();
  with_real("rarity", to.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t id = 0; id < with.size(); ++id) {
      to.mutable_data<T>()[id] = static_cast<T>(std::log(all / with[id]));
    }
  });
}

}  // namespace fovea
