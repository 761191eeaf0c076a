// The plain twin of attention against what must hold of it: finite differences of its gradients,
// the properties of its weights.
#include "fovea/kernels/attend_plain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "fovea/kernels/attend_testing.h"

namespace fovea::kernels {
namespace {

AttendCase<double> small_case() {
  AttendCase<double> c({3, 0, 2, 4}, {3, 2, 5, 4}, {.heads = 4, .kv_heads = 2, .scale = 0.7});
  c.head_size = 3;
  c.value_size = 2;
  return c;
}

// d loss / dx of every element of x, by central differences; loss = sum out * weight.
void expect_gradients(AttendCase<double>& c) {
  c.make();
  c.forward(plain::attend<double>);
  c.backward(plain::attend_backward<double>);
  const auto loss = [&c] {
    c.forward(plain::attend<double>);
    double sum = 0;
    for (std::size_t n = 0; n < c.out.size(); ++n) sum += c.out[n] * c.dout[n];
    return sum;
  };
  const auto check = [&](std::vector<double>& x, const std::vector<double>& dx) {
    for (std::size_t n = 0; n < x.size(); ++n) {
      const double kept = x[n], step = 1e-5;
      x[n] = kept + step;
      const double above = loss();
      x[n] = kept - step;
      const double below = loss();
      x[n] = kept;
      ASSERT_NEAR(dx[n], (above - below) / (2 * step), 1e-8);
    }
  };
  check(c.q, c.dq);
  check(c.k, c.dk);
  check(c.v, c.dv);
  check(c.bias, c.dbias);
  check(c.key_relation, c.dkey_relation);
  check(c.value_relation, c.dvalue_relation);
}

TEST(PlainAttend, GradientsEqualFiniteDifferences) {
  for (const bool causal : {false, true}) {
    for (const Dim window : {-1, 1}) {
      for (const Dim furthest : {-1, 0, 2}) {
        for (const float drop : {0.0F, 0.4F}) {
          AttendCase<double> c = small_case();
          c.options.causal = causal;
          c.options.window = window;
          c.options.drop = drop;
          c.options.draws = {.seed = 3, .site = 9};
          c.furthest = furthest;
          c.relations = furthest < 0 ? 1 : furthest - 1;
          expect_gradients(c);
        }
      }
    }
  }
}

TEST(PlainAttend, WeightsSumToOneAndGiveTheOutput) {
  AttendCase<double> c = small_case();
  c.make();
  const std::vector<Dim> heads = {0, 3};
  c.forward(plain::attend<double>, {.kind = CaptureKind::all, .heads = heads});
  ASSERT_EQ(c.weights.size(), 2U * (3 * 3 + 2 * 5 + 4 * 4));
  const double* w = c.weights.data();
  for (Dim s = 0; s < 4; ++s) {
    for (const Dim h : heads) {
      const plain::AttendHead<double> a(c.input(), c.options, s, h);
      for (Dim i = 0; i < a.sequence.queries; ++i, w += a.sequence.keys) {
        double sum = 0, first = 0;
        for (Dim j = 0; j < a.sequence.keys; ++j) sum += w[j], first += w[j] * a.v[j][0];
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_NEAR(first, a.queries_of(c.out_rows())[i][0], 1e-12);
      }
    }
  }
}

TEST(PlainAttend, NothingInReachGivesZeros) {
  AttendCase<double> c({2, 3}, {0, 1}, {.causal = true});
  c.make();
  c.forward(plain::attend<double>);
  c.backward(plain::attend_backward<double>);
  for (const Dim row : {0, 1, 2, 3}) {  // queries 0 and 1 of the second stand before its one key
    EXPECT_EQ(c.lse[row], -std::numeric_limits<double>::infinity());
    EXPECT_EQ(c.out_rows()[row][0], 0);
    EXPECT_EQ(c.dq[row * c.head_size], 0);
  }
  EXPECT_EQ(c.out_rows()[4][0], c.v[0]);
}

TEST(PlainAttend, OneQueryOfACacheIsTheLastRowOfTheWhole) {
  AttendCase<double> whole({5}, {5}, {.causal = true, .window = 2});
  whole.furthest = 1;
  whole.make();
  whole.forward(plain::attend<double>);
  AttendCase<double> step = whole;
  step.q_offsets = {0, 1};
  step.q.assign(whole.q.end() - step.head_size, whole.q.end());
  step.out.resize(step.value_size);
  step.forward(plain::attend<double>);
  for (Dim c = 0; c < step.value_size; ++c) EXPECT_EQ(step.out[c], whole.out_rows()[4][c]);
}

TEST(PlainAttend, DropoutKeepsTheMean) {
  const AttendDrop drop(0.1F);
  Dim kept = 0;
  for (Dim j = 0; j < 20000; ++j) kept += drop.kept({.seed = 1, .site = 2}, 3, 4, 5, j) ? 1 : 0;
  EXPECT_NEAR(static_cast<float>(kept) * drop.keep / 20000, 1, 0.01);
}

}  // namespace
}  // namespace fovea::kernels
