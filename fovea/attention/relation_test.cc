#include "fovea/attention/relation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fovea/attention/ordinary.h"
#include "fovea/autograd/gradient_check.h"
#include "fovea/ops/op_samples.h"

namespace fovea {
namespace {

constexpr Dim kHeads = 2, kDepth = 3, kReach = 2;

/// z from q, k, v and the two tables.
Var attend_related(const std::vector<Var>& in, const Segments& queries, const Segments& keys,
                   const Reach& reach) {
  const Pairs pairs = pairs_in_reach(queries, keys, reach);
  const Var scores = relation_score(in[0], in[1], in[3], pairs, kHeads);
  const Var weights = allocate_pairs(scores, pairs, queries, keys, {}, {});
  return relation_read(weights, in[2], in[4], pairs);
}

// Equations 3 and 4 of the paper, number by number.
TEST(Relation, IsThePapersFormula) {
  const Dim n = 7, cols = kHeads * kDepth;
  const Tensor q = normal_sample({n, cols}, 1), k = normal_sample({n, cols}, 2),
               v = normal_sample({n, cols}, 3), a = normal_sample({2 * kReach + 1, kDepth}, 4),
               b = normal_sample({2 * kReach + 1, kDepth}, 5);
  const Segments one = Segments::of_lengths({n});
  const Tensor z = attend_related({q, k, v, a, b}, one, one, {}).value();
  const auto clipped = [](Dim i, Dim j) { return std::clamp(j - i, -kReach, kReach) + kReach; };
  const auto at = [](const Tensor& t, Dim r, Dim c) { return t.view<double>()[r][c]; };
  for (Dim h = 0; h < kHeads; ++h) {
    for (Dim i = 0; i < n; ++i) {
      double sum = 0, read[kDepth] = {};
      for (Dim j = 0; j < n; ++j) {
        double e = 0;
        for (Dim c = 0; c < kDepth; ++c) {
          const Dim col = h * kDepth + c;
          e += at(q, i, col) * (at(k, j, col) + at(a, clipped(i, j), c));
        }
        const double w = std::exp(e / std::sqrt(static_cast<double>(kDepth)));
        sum += w;
        for (Dim c = 0; c < kDepth; ++c) {
          read[c] += w * (at(v, j, h * kDepth + c) + at(b, clipped(i, j), c));
        }
      }
      for (Dim c = 0; c < kDepth; ++c) {
        EXPECT_NEAR(at(z, i, h * kDepth + c), read[c] / sum, 1e-12);
      }
    }
  }
}

TEST(Relation, HasRightGradients) {
  const Segments queries = Segments::of_lengths({3, 0, 1, 4}),
                 keys = Segments::of_lengths({4, 2, 0, 5});
  const std::vector<Tensor> inputs = {
      normal_sample({8, 6}, 1), normal_sample({11, 6}, 2), normal_sample({11, 6}, 3),
      normal_sample({2 * kReach + 1, kDepth}, 4), normal_sample({2 * kReach + 1, kDepth}, 5)};
  for (const bool causal : {false, true}) {
    const auto run = [&](const std::vector<Var>& in) {
      return attend_related(in, queries, keys, {.causal = causal});
    };
    const GradientCheck check = check_gradients(run, inputs);
    EXPECT_LT(check.worst, 1e-7) << check.where;
  }
}

}  // namespace
}  // namespace fovea
