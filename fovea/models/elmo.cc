#include "fovea/models/elmo.h"

#include "fovea/base/table_check.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

/// Rows of each text but its last, or but its first.
Tensor rows_but(const Segments& texts, Dim from, Dim to) {
  std::vector<std::int32_t> rows;
  for (Dim t = 0; t < texts.count(); ++t) {
    for (Dim r = texts.begin(t) + from; r < texts.end(t) - to; ++r) {
      rows.push_back(static_cast<std::int32_t>(r));
    }
  }
  return Tensor::from<std::int32_t>({static_cast<Dim>(rows.size())}, rows);
}

Tensor ids_at(const Tensor& ids, const Tensor& rows) {
  Tensor out = Tensor::empty({rows.size()}, DType::i32);
  for (Dim i = 0; i < rows.size(); ++i) {
    out.mutable_data<std::int32_t>()[i] = ids.data<std::int32_t>()[rows.data<std::int32_t>()[i]];
  }
  return out;
}

}  // namespace

void check(const ElmoConfig& c) {
  const TableCheck model("model");
  model.sizes({{"letter_width", c.letter_width},
               {"letter_filters", c.letter_filters},
               {"projection", c.projection},
               {"hidden", c.hidden}});
  model.windows("letter_windows", c.letter_windows);
  model.layers("highways", 0, c.highways);
  model.layers("layers", 1, c.layers);
  model.shares({{"dropout", c.dropout}});
}

Highway::Highway(Scope s, Dim width)
    : change(s / "change", width, width, {.activation = Activation::relu}),
      gate(s / "gate", width, width, {.activation = Activation::sigmoid}) {}

Var Highway::operator()(const Var& x) const { return add(x, mul(gate(x), sub(change(x), x))); }

ElmoDirection::ElmoDirection(Scope s, Direction direction, const ElmoConfig& c)
    : direction(direction), dropout(c.dropout) {
  for (Dim k = 0; k < c.layers; ++k) {
    layers.emplace_back(s / k, c.projection, c.hidden);
    projections.emplace_back(s / k / "projection", c.hidden, c.projection);
  }
}

std::vector<Var> ElmoDirection::operator()(const Var& x, const Segments& texts,
                                           const Pass& pass) const {
  std::vector<Var> all = {x};
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const Var in = fovea::dropout(all.back(), dropout, pass.rng);
    const Var h = lstm_layer(in, texts, layers[k].weights.front(), {.direction = direction}).rows;
    const Var projected = projections[k](h);  // (N, P)
    all.push_back(k == 0 ? projected : add(projected, all.back()));
  }
  return all;
}

Elmo::Elmo(Scope s, const ElmoConfig& c)
    : config(c),
      letters(s / "letters", c.letters, c.letter_width, c.letter_windows, c.letter_filters),
      projection(s / "projection", letters.width(), c.projection),
      forward(s / "forward", Direction::forward, c),
      backward(s / "backward", Direction::reverse, c),
      out(s / "out", c.vocabulary, c.projection) {
  FOVEA_CHECK(c.layers >= 1, ErrorKind::bad_setting, "elmo: ", c.layers,
              " layers; at least one is needed");
  for (Dim i = 0; i < c.highways; ++i) highways.emplace_back(s / "highways" / i, letters.width());
}

Elmo::Layers Elmo::operator()(const Sequences& words, const Segments& texts,
                              const Pass& pass) const {
  Var x = letters(words);  // (N, F)
  for (const Highway& highway : highways) x = highway(x);
  x = projection(x);  // (N, P)
  return {forward(x, texts, pass), backward(x, texts, pass)};
}

std::vector<Var> Elmo::Layers::joined() const {
  std::vector<Var> all;
  for (std::size_t k = 0; k < forward.size(); ++k) {
    all.push_back(concat_columns({forward[k], backward[k]}));
  }
  return all;
}

Var Elmo::loss(Direction direction, const Layers& layers, const Tensor& ids,
               const Segments& texts) const {
  const Tensor but_last = rows_but(texts, 0, 1), but_first = rows_but(texts, 1, 0);
  if (direction == Direction::forward) {
    return out.loss_sum(gather_rows(layers.forward.back(), but_last), ids_at(ids, but_first), 0);
  }
  return out.loss_sum(gather_rows(layers.backward.back(), but_first), ids_at(ids, but_last), 0);
}

ElmoMix::ElmoMix(Scope s, Dim layers)
    : weights(s.param("weights", {layers + 1, 1}, init::zeros())),
      gamma(s.param("gamma", {1}, init::ones())) {}

Var ElmoMix::operator()(const std::vector<Var>& layers) const {
  FOVEA_CHECK(static_cast<Dim>(layers.size()) == weights.rows(), "elmo: ", layers.size(),
              " layers for ", weights.rows(), " weights");
  const Var shares = segment_softmax(weights, Segments::uniform(1, weights.rows()));
  Var sum;
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const auto row = static_cast<Dim>(k);
    // One number for every row of the layer.
    const Var share = mul(slice_rows(shares, row, row + 1), reshape(gamma, {1, 1}));  // (1, 1)
    const Var column = repeat_rows(share, Segments::uniform(1, layers[k].rows()));    // (N, 1)
    const Var part = mul_column(layers[k], column);
    sum = sum.defined() ? add(sum, part) : part;
  }
  return sum;
}

}  // namespace fovea
