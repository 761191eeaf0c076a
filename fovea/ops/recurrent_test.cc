// What is particular to recurrent layers; that their gradients are right is tested with all ops.
#include "fovea/ops/recurrent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/autograd/backward.h"
#include "fovea/base/threads.h"
#include "fovea/ops/expect_error.h"
#include "fovea/ops/recurrent_samples.h"

namespace fovea {
namespace {

constexpr Dim kInputs = 9, kHidden = 13;

RecurrentWeights make_weights(Dim gates) {
  const auto draw = [](Shape shape, std::uint64_t seed) {
    return Var(normal_sample(shape, seed, 0.4).to(DType::f32));
  };
  return {draw({gates * kHidden, kInputs}, 1), draw({gates * kHidden, kHidden}, 2),
          draw({gates * kHidden}, 3), draw({gates * kHidden}, 4)};
}

Var draw(Dim rows, Dim cols, std::uint64_t seed) {
  return normal_sample({rows, cols}, seed).to(DType::f32);
}

Segments ragged() { return Segments::of_lengths({3, 0, 7, 1, 7, 2}); }

/// The rows of sequence i of the batch, in the order in which `direction` walks them.
std::vector<Dim> walked(const Segments& segments, Dim i, Direction direction) {
  std::vector<Dim> rows;
  for (Dim t = 0; t < segments.length(i); ++t) {
    rows.push_back(direction == Direction::forward ? segments.begin(i) + t
                                                   : segments.end(i) - 1 - t);
  }
  return rows;
}

class BothDirections : public ::testing::TestWithParam<Direction> {};
INSTANTIATE_TEST_SUITE_P(Recurrent, BothDirections,
                         ::testing::Values(Direction::forward, Direction::reverse));

TEST_P(BothDirections, AnLstmLayerIsItsCellStepByStep) {
  const RecurrentWeights w = make_weights(4);
  const Segments segments = ragged();
  const Var x = draw(segments.rows(), kInputs, 5);
  const LstmState initial = {draw(segments.count(), kHidden, 6),
                             draw(segments.count(), kHidden, 7)};
  const LstmOutput y = lstm_layer(x, segments, w, {.direction = GetParam(), .initial = initial});
  for (Dim i = 0; i < segments.count(); ++i) {
    LstmState state = {initial.h.value().slice(i, i + 1), initial.c.value().slice(i, i + 1)};
    for (const Dim row : walked(segments, i, GetParam())) {
      state = lstm_cell(x.value().slice(row, row + 1), state, w);
      EXPECT_TRUE(identical(state.h.value(), y.rows.value().slice(row, row + 1))) << "row " << row;
    }
    EXPECT_TRUE(identical(state.h.value(), y.state.h.value().slice(i, i + 1))) << "sequence " << i;
    EXPECT_TRUE(identical(state.c.value(), y.state.c.value().slice(i, i + 1))) << "sequence " << i;
  }
}

TEST_P(BothDirections, AGruLayerIsItsCellStepByStep) {
  const RecurrentWeights w = make_weights(3);
  const Segments segments = ragged();
  const Var x = draw(segments.rows(), kInputs, 5);
  const Var initial = draw(segments.count(), kHidden, 6);
  const GruOutput y = gru_layer(x, segments, w, {.direction = GetParam(), .initial = initial});
  for (Dim i = 0; i < segments.count(); ++i) {
    Var state = initial.value().slice(i, i + 1);
    for (const Dim row : walked(segments, i, GetParam())) {
      state = gru_cell(x.value().slice(row, row + 1), state, w);
      EXPECT_TRUE(identical(state.value(), y.rows.value().slice(row, row + 1))) << "row " << row;
    }
    EXPECT_TRUE(identical(state.value(), y.state.value().slice(i, i + 1))) << "sequence " << i;
  }
}

TEST_P(BothDirections, ASequenceDoesNotDependOnItsBatch) {
  const RecurrentWeights lstm = make_weights(4), gru = make_weights(3);
  const Segments segments = ragged();
  const Var x = draw(segments.rows(), kInputs, 5);
  const Tensor together = lstm_layer(x, segments, lstm, {.direction = GetParam()}).rows.value();
  const Tensor gru_together = gru_layer(x, segments, gru, {.direction = GetParam()}).rows.value();
  for (Dim i = 0; i < segments.count(); ++i) {
    const Dim begin = segments.begin(i), end = segments.end(i);
    const Segments alone = Segments::uniform(1, end - begin);
    const Var own = x.value().slice(begin, end);
    EXPECT_TRUE(identical(lstm_layer(own, alone, lstm, {.direction = GetParam()}).rows.value(),
                          together.slice(begin, end)));
    EXPECT_TRUE(identical(gru_layer(own, alone, gru, {.direction = GetParam()}).rows.value(),
                          gru_together.slice(begin, end)));
  }
}

// By hand, with one unit: i = f = o = 1/2 where all weights are zero, and g = tanh(b).
TEST(Recurrent, AnLstmComputesItsFormula) {
  const Var zero = Tensor::zeros({4, 1}, DType::f64), none = Tensor::zeros({4}, DType::f64);
  const Var bias = Tensor::of<double>({4}, {0, 0, 0.5, 0});
  const Var x = Tensor::zeros({2, 1}, DType::f64);
  const LstmOutput y = lstm_layer(x, Segments::uniform(1, 2), {zero, zero, bias, none});
  const double c1 = 0.5 * std::tanh(0.5), c2 = 0.5 * c1 + c1;
  EXPECT_NEAR(y.state.c.value().data<double>()[0], c2, 1e-12);
  EXPECT_NEAR(y.rows.value().data<double>()[0], 0.5 * std::tanh(c1), 1e-12);
  EXPECT_NEAR(y.rows.value().data<double>()[1], 0.5 * std::tanh(c2), 1e-12);
}

TEST(Recurrent, ASequenceWithoutRowsKeepsItsState) {
  const Var h = draw(2, kHidden, 1), c = draw(2, kHidden, 2), x = draw(0, kInputs, 3);
  const Segments none = Segments::uniform(2, 0);
  const LstmOutput y = lstm_layer(x, none, make_weights(4), {.initial = {h, c}});
  EXPECT_TRUE(identical(y.state.h.value(), h.value()));
  EXPECT_TRUE(identical(y.state.c.value(), c.value()));
  EXPECT_TRUE(
      identical(gru_layer(x, none, make_weights(3), {.initial = h}).state.value(), h.value()));
}

// Large enough for the products to be cut up among threads.
TEST(Recurrent, HasTheSameBitsOnAnyNumberOfThreads) {
  constexpr Dim inputs = 96, hidden = 128;
  const Segments segments = Segments::of_lengths({5, 40, 17, 33, 40, 1, 28, 39, 40, 12});
  const auto run = [&](int threads) {
    set_thread_count(threads);
    const auto weight = [](Shape shape, std::uint64_t seed) {
      return Var::parameter(normal_sample(shape, seed, 0.1).to(DType::f32));
    };
    const RecurrentWeights w = {weight({4 * hidden, inputs}, 1), weight({4 * hidden, hidden}, 2),
                                weight({4 * hidden}, 3), weight({4 * hidden}, 4)};
    const Var x = weight({segments.rows(), inputs}, 5);
    const Var y = lstm_layer(x, segments, w).rows;
    const Gradients g = backward(y, {.seed = Tensor::full(y.shape(), 1)});
    return std::vector<Tensor>{y.value(), g[x], g[w.w_ih], g[w.w_hh], g[w.b_ih]};
  };
  const int before = thread_count();
  const auto one = run(1), two = run(2), four = run(4);
  set_thread_count(before);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_TRUE(identical(one[i], two[i]) && identical(one[i], four[i])) << "tensor " << i;
  }
}

TEST(Recurrent, SaysWhatDoesNotFit) {
  const Segments segments = Segments::of_lengths({2, 3});
  const RecurrentWeights lstm = make_weights(4), gru = make_weights(3);
  const Var x = draw(5, kInputs, 1), state = draw(2, kHidden, 2);
  expect_error([&] { lstm_layer(draw(4, kInputs, 1), segments, lstm); }, {"expected 5 rows"});
  expect_error([&] { lstm_layer(draw(5, 2, 1), segments, lstm); },
               {"expected w_ih of shape (52, 2)"});
  expect_error([&] { lstm_layer(x, segments, gru); }, {"expected w_hh of shape (4 H, H)"});
  expect_error([&] { gru_layer(x, segments, lstm); }, {"expected w_hh of shape (3 H, H)"});
  expect_error(
      [&] {
        lstm_layer(x, segments, lstm, {.initial = {state, {}}});
      },
      {"h and c, or neither"});
  expect_error([&] { gru_layer(x, segments, gru, {.initial = draw(3, kHidden, 2)}); },
               {"expected an initial state of shape (2, 13)"});
  expect_error([&] { lstm_cell(x, {state, state}, lstm); }, {"initial state of shape (5, 13)"});
}

}  // namespace
}  // namespace fovea
