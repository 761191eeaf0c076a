#include "fovea/kernels/pairs.h"

#include <gtest/gtest.h>

#include "fovea/kernels/kernel_testing.h"
#include "fovea/kernels/pairs_plain.h"

namespace fovea::kernels {
namespace {

/// Every key of a sequence is in reach of each of its queries.
struct TestPairs {
  std::vector<std::int32_t> query, key;
  std::vector<Dim> of_query = {0}, of_sequence = {0};
  Dim keys = 0;

  explicit TestPairs(const std::vector<std::pair<Dim, Dim>>& lengths) {
    for (const auto& [queries, keys_here] : lengths) {
      for (Dim i = 0; i < queries; ++i) {
        for (Dim j = 0; j < keys_here; ++j) {
          query.push_back(static_cast<std::int32_t>(of_query.size()) - 1);
          key.push_back(static_cast<std::int32_t>(keys + j));
        }
        of_query.push_back(static_cast<Dim>(query.size()));
      }
      keys += keys_here;
      of_sequence.push_back(static_cast<Dim>(query.size()));
    }
  }
  Dim count() const { return static_cast<Dim>(query.size()); }
  Dim queries() const { return static_cast<Dim>(of_query.size()) - 1; }
  PairIndex index() const { return {query.data(), key.data(), of_query, of_sequence}; }
};

TestPairs small_pairs() { return TestPairs({{2, 3}, {1, 0}, {0, 2}, {1, 4}}); }

TEST(Pairs, SumsEqualTheirTwinsOnEveryTarget) {
  const TestPairs pairs = small_pairs();
  for_each_target([&] {
    for (const Dim heads : {1, 2}) {
      for_each_shape(pairs.queries(), [&](Dim rows, Dim head, Dim misalign) {
        const Dim cols = heads * head;
        TestRows a(rows, cols, misalign, 1), b(pairs.keys, cols, misalign, 2);
        TestRows s(pairs.count(), heads, misalign, 3), s2(pairs.count(), heads, 0, 3);
        pair_dot(pairs.index(), a.view(), b.view(), s.view());
        plain::pair_dot<float>(pairs.index(), a.view(), b.view(), s2.view());
        expect_near(s.view(), s2.view(), 2e-5F);
        s.expect_guards();

        TestRows y(rows, cols, misalign, 4), y2(rows, cols, 0, 5);
        pair_read(pairs.index(), s2.view(), b.view(), y.view());
        plain::pair_read<float>(pairs.index(), s2.view(), b.view(), y2.view());
        expect_near(y.view(), y2.view(), 1e-4F);
        y.expect_guards();

        TestRows z(pairs.keys, cols, misalign, 6), z2(pairs.keys, cols, 0, 6);
        pair_spread(pairs.index(), s2.view(), a.view(), z.view());
        plain::pair_spread<float>(pairs.index(), s2.view(), a.view(), z2.view());
        expect_near(z.view(), z2.view(), 1e-4F);
        z.expect_guards();
      });
    }
  });
}

TEST(Pairs, AdditiveScoresEqualTheirTwinOnEveryTarget) {
  const TestPairs pairs = small_pairs();
  const Dim P = pairs.count();
  for_each_target([&] {
    for_each_shape(pairs.queries(), [&](Dim rows, Dim cols, Dim misalign) {
      TestRows q(rows, cols, misalign, 1), k(pairs.keys, cols, misalign, 2),
          v(1, cols, misalign, 3), s(1, P, misalign, 4), s2(1, P, 0, 4);
      pair_additive(pairs.index(), q.view(), k.view(), v.view().data, s.view().data);
      plain::pair_additive<float>(pairs.index(), q.view(), k.view(), v.view().data, s2.view().data);
      expect_near(s.view(), s2.view(), 1e-5F);
      s.expect_guards();

      TestRows ds(1, P, misalign, 5), dq(rows, cols, misalign, 6), dq2(rows, cols, 0, 6),
          dk(pairs.keys, cols, misalign, 7), dk2(pairs.keys, cols, 0, 7), dv(1, cols, misalign, 8),
          dv2(1, cols, 0, 9);
      const auto gradients = [&](TestRows& to_q, TestRows& to_k, TestRows& to_v) {
        return PairAdditiveBackward<float>{q.view(),        k.view(),    v.view().data,
                                           ds.view().data,  to_q.view(), to_k.view(),
                                           to_v.view().data};
      };
      pair_additive_backward(pairs.index(), gradients(dq, dk, dv));
      plain::pair_additive_backward<float>(pairs.index(), gradients(dq2, dk2, dv2));
      expect_near(dq.view(), dq2.view(), 1e-5F);
      expect_near(dk.view(), dk2.view(), 1e-5F);
      expect_near(dv.view(), dv2.view(), 1e-5F);
      for (TestRows* written : {&dq, &dk, &dv}) written->expect_guards();
    });
  });
}

TEST(Pairs, HaveTheSameBitsOnAnyThreads) {
  std::vector<std::pair<Dim, Dim>> lengths;
  for (Dim n = 0; n < 70; ++n) lengths.emplace_back(1 + n % 3, n * 7 % 31);
  const TestPairs pairs(lengths);
  const Dim cols = 100, P = pairs.count();
  TestRows q(pairs.queries(), cols, 0, 1), k(pairs.keys, cols, 0, 2), v(1, cols, 0, 3);
  expect_same_bits_on_any_threads([&] {
    std::vector<float> all(
        static_cast<std::size_t>(3 * P + (2 * pairs.queries() + 2 * pairs.keys + 1) * cols), 0);
    float* next = all.data();
    const auto take = [&](Dim rows, Dim c) {
      return rows_of((next += rows * c) - rows * c, rows, c);
    };
    const Rows<float> dot = take(P, 1), weights = take(P, 1), additive = take(P, 1);
    const Rows<float> read = take(pairs.queries(), cols), spread = take(pairs.keys, cols);
    const Rows<float> dq = take(pairs.queries(), cols), dk = take(pairs.keys, cols);
    pair_dot(pairs.index(), q.view(), k.view(), dot);
    pair_additive(pairs.index(), q.view(), k.view(), v.view().data, additive.data);
    std::copy_n(additive.data, P, weights.data);
    pair_read(pairs.index(), weights, k.view(), read);
    pair_spread(pairs.index(), weights, q.view(), spread);
    pair_additive_backward(
        pairs.index(), {q.view(), k.view(), v.view().data, dot.data, dq, dk, take(1, cols).data});
    return all;
  });
}

TEST(Pairs, NotANumberIsNotHidden) {
  const TestPairs pairs = small_pairs();
  for_each_target([&] {
    TestRows q(pairs.queries(), 9, 0, 1), k(pairs.keys, 9, 0, 2), v(1, 9, 0, 3),
        s(1, pairs.count(), 0, 4);
    k.view()[1][8] = std::nanf("");
    pair_additive(pairs.index(), q.view(), k.view(), v.view().data, s.view().data);
    EXPECT_FALSE(std::isnan(s.view()[0][0]));
    EXPECT_TRUE(std::isnan(s.view()[0][1]));
  });
}

}  // namespace
}  // namespace fovea::kernels
