#include "fovea/nn/recurrent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/ops/rows.h"

namespace fovea {
namespace {

Tensor rows(Dim count, Dim cols) {
  Tensor x = Tensor::empty({count, cols});
  init::normal(1)(x, Draws{.seed = 3, .site = 1});
  return x;
}

void expect_near(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (Dim i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data<float>()[i], b.data<float>()[i], 1e-6);
}

/// Two sequences of four rows, whole and row by row: row t of each is rows t and 4 + t.
const Segments kTwo = Segments::uniform(2, 4);
Tensor row_of_each(std::int32_t t) { return Tensor::of<std::int32_t>({2}, {t, 4 + t}); }

TEST(Recurrent, LstmStepByStepIsTheWholeWalk) {
  Params params(1);
  const Lstm lstm(params.scope(), 5, 6, {.layers = 2});
  const Var x = rows(8, 5);
  const Lstm::Output whole = lstm(x, kTwo, {});
  std::vector<LstmState> states(2, {Tensor::zeros({2, 6}), Tensor::zeros({2, 6})});
  for (std::int32_t t = 0; t < 4; ++t) {
    states = lstm.step(gather_rows(x, row_of_each(t)), states, {});
    expect_near(states.back().h.value(), gather_rows(whole.rows, row_of_each(t)).value());
  }
  for (std::size_t layer = 0; layer < 2; ++layer) {
    expect_near(states[layer].h.value(), whole.states[layer].h.value());
    expect_near(states[layer].c.value(), whole.states[layer].c.value());
  }
}

TEST(Recurrent, GruStepByStepIsTheWholeWalk) {
  Params params(1);
  const Gru gru(params.scope(), 5, 6, {.layers = 2});
  const Var x = rows(8, 5);
  const Gru::Output whole = gru(x, kTwo, {});
  std::vector<Var> states(2, Tensor::zeros({2, 6}));
  for (std::int32_t t = 0; t < 4; ++t) {
    states = gru.step(gather_rows(x, row_of_each(t)), states, {});
    expect_near(states.back().value(), gather_rows(whole.rows, row_of_each(t)).value());
  }
}

TEST(Recurrent, GoesOnFromAState) {
  Params params(1);
  const Gru gru(params.scope(), 5, 6, {.layers = 2});
  const Var x = rows(8, 5);
  const Gru::Output whole = gru(x, Segments::uniform(1, 8), {});
  const Gru::Output first = gru(slice_rows(x, 0, 3), Segments::uniform(1, 3), {});
  const Gru::Output rest = gru(slice_rows(x, 3, 8), Segments::uniform(1, 5), {}, first.states);
  expect_near(rest.rows.value(), slice_rows(whole.rows, 3, 8).value());
}

TEST(Recurrent, DropsBetweenLayersOnly) {
  Params params(1);
  const Var x = rows(8, 5);
  Rng rng;
  const Lstm one(params.scope() / "one", 5, 6, {.dropout = 0.5});
  EXPECT_TRUE(identical(one(x, kTwo, {}).rows.value(), one(x, kTwo, {.rng = &rng}).rows.value()));
  const Lstm two(params.scope() / "two", 5, 6, {.layers = 2, .dropout = 0.5});
  EXPECT_FALSE(identical(two(x, kTwo, {}).rows.value(), two(x, kTwo, {.rng = &rng}).rows.value()));
}

TEST(Recurrent, SaysWhatItCannotDo) {
  Params params(1);
  const Gru both(params.scope(), 5, 6, {.bidirectional = true});
  const std::vector<Var> states(2, Tensor::zeros({2, 6}));
  EXPECT_THROW(both.step(rows(2, 5), states, {}), Error);
  EXPECT_THROW(both(rows(8, 5), kTwo, {}, std::span(states).first(1)), Error);
}

}  // namespace
}  // namespace fovea
