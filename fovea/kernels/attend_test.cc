#include "fovea/kernels/attend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fovea/base/threads.h"
#include "fovea/kernels/attend_plain.h"
#include "fovea/kernels/attend_testing.h"
#include "fovea/kernels/kernel_testing.h"

namespace fovea::kernels {
namespace {

void run_forward(AttendCase<float>& c, const Capture<float>& capture = {}) {
  c.forward([](auto&&... args) { attend(args...); }, capture);
}
void run_backward(AttendCase<float>& c) {
  using Backward =
      void (*)(const AttendInput<float>&, const AttendOptions<float>&, Rows<const float>,
               const float*, Rows<const float>, const AttendGradients<float>&);
  c.backward(Backward(attend_backward));
}

void expect_close(const std::vector<float>& actual, const std::vector<double>& expected,
                  double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t n = 0; n < actual.size(); ++n) {
    if (actual[n] == expected[n]) continue;  // -inf too
    ASSERT_NEAR(actual[n], expected[n], tolerance * (1 + std::abs(expected[n]))) << "at " << n;
  }
}

/// The same batch: make() draws the same numbers for either type.
AttendCase<double> in_double(const AttendCase<float>& c) {
  AttendCase<double> twin({}, {},
                          {.heads = c.options.heads,
                           .kv_heads = c.options.kv_heads,
                           .scale = c.options.scale,
                           .causal = c.options.causal,
                           .window = c.options.window,
                           .drop = c.options.drop,
                           .draws = c.options.draws});
  twin.q_offsets = c.q_offsets;
  twin.k_offsets = c.k_offsets;
  twin.head_size = c.head_size;
  twin.value_size = c.value_size;
  twin.furthest = c.furthest;
  twin.relations = c.relations;
  twin.q_places = c.q_places;
  twin.make();
  return twin;
}

void expect_twin(AttendCase<float>& c) {
  SCOPED_TRACE(testing::Message() << "head size " << c.head_size << ", heads " << c.options.heads
                                  << ", causal " << c.options.causal << ", window "
                                  << c.options.window << ", drop " << c.options.drop
                                  << ", relations " << c.relations);
  c.make();
  run_forward(c);
  run_backward(c);
  AttendCase<double> twin = in_double(c);
  twin.forward(plain::attend<double>);
  twin.backward(plain::attend_backward<double>);
  expect_close(c.out, twin.out, 5e-6);
  expect_close(c.lse, twin.lse, 5e-6);
  expect_close(c.dq, twin.dq, 3e-5);
  expect_close(c.dk, twin.dk, 3e-5);
  expect_close(c.dv, twin.dv, 3e-5);
  expect_close(c.dbias, twin.dbias, 3e-5);
  expect_close(c.dkey_relation, twin.dkey_relation, 5e-5);
  expect_close(c.dvalue_relation, twin.dvalue_relation, 5e-5);
}

/// Lengths 0 to 67, a few in each batch, with as many queries or fewer or more.
const std::vector<Dim> kQueries = {0, 1, 2, 5, 16, 33, 48, 67, 3, 0, 20, 1, 49};
const std::vector<Dim> kSame = kQueries;
const std::vector<Dim> kOther = {4, 7, 0, 1, 31, 33, 67, 13, 64, 0, 21, 66, 15};

TEST(Attend, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for (const Dim size : {1, 3, 8, 16, 64, 65}) {
      for (const bool same : {true, false}) {
        for (const bool causal : {false, true}) {
          for (const Dim window : {-1, 4}) {
            AttendCase<float> c(kQueries, same ? kSame : kOther,
                                {.scale = 1 / std::sqrt(static_cast<float>(size)),
                                 .causal = causal,
                                 .window = window});
            c.head_size = size;
            c.value_size = size == 16 ? 24 : size;
            expect_twin(c);
          }
        }
      }
    }
  });
}

TEST(Attend, QueriesThatAreToldWhereTheyStandEqualTheTwinOnEveryTarget) {
  for_each_target([] {
    for (const Dim lag : {1, 3, 40}) {
      AttendCase<float> c(kQueries, kOther, {.heads = 2, .kv_heads = 2, .causal = true});
      c.q_places.assign(kQueries.size(), lag - 1);
      c.q_places[3] = 20;
      expect_twin(c);
    }
  });
}

TEST(Attend, EveryLengthEqualsItsTwin) {
  for (Dim keys = 0; keys <= 67; ++keys) {
    AttendCase<float> c({keys, 67 - keys}, {keys, 67 - keys}, {.scale = 0.5F, .causal = true});
    expect_twin(c);
  }
}

TEST(Attend, OptionsEqualTheTwinOnEveryTarget) {
  for_each_target([] {
    for (const Dim kv_heads : {1, 2, 4}) {
      for (const bool causal : {false, true}) {
        for (const Dim furthest : {-1, 0, 7, 100}) {
          for (const float drop : {0.0F, 0.3F}) {
            AttendCase<float> c(kQueries, causal ? kSame : kOther,
                                {.heads = 4,
                                 .kv_heads = kv_heads,
                                 .scale = 0.3F,
                                 .causal = causal,
                                 .drop = drop,
                                 .draws = {.seed = 5, .site = 1}});
            c.head_size = 8;
            c.furthest = furthest;
            expect_twin(c);
          }
        }
      }
    }
  });
}

TEST(Attend, RelationsEqualTheTwinOnEveryTarget) {
  for_each_target([] {
    for (const Dim kv_heads : {1, 4}) {
      for (const bool causal : {false, true}) {
        for (const Dim relations : {0, 3, 16, 100}) {
          for (const float drop : {0.0F, 0.3F}) {
            AttendCase<float> c(kQueries, causal ? kSame : kOther,
                                {.heads = 4,
                                 .kv_heads = kv_heads,
                                 .scale = 0.3F,
                                 .causal = causal,
                                 .window = relations == 3 ? 20 : -1,
                                 .drop = drop,
                                 .draws = {.seed = 5, .site = 1}});
            c.head_size = 8;
            c.value_size = 12;
            c.relations = relations;
            c.furthest = relations == 16 ? 4 : -1;
            expect_twin(c);
          }
        }
      }
    }
  });
}

TEST(Attend, SeveralBlocksOfKeysEqualTheTwin) {
  for_each_target([] {
    for (const bool causal : {false, true}) {
      for (const Dim window : {-1, 130}) {
        AttendCase<float> c({3, 900}, {1300, 900},
                            {.heads = 2,
                             .scale = 1,
                             .causal = causal,
                             .window = window,
                             .drop = 0.1F,
                             .draws = {.seed = 2}});
        c.head_size = 8;
        c.furthest = 20;
        expect_twin(c);
        c.relations = 30;
        expect_twin(c);
      }
    }
  });
}

AttendCase<float> mixed_case() {
  AttendCase<float> c({600, 1, 40, 0, 7}, {600, 900, 40, 3, 7},
                      {.heads = 4, .kv_heads = 2, .causal = true, .drop = 0.2F});
  c.head_size = 20;
  c.furthest = 9;
  c.relations = 5;
  c.make();
  return c;
}

TEST(Attend, BitsDoNotDependOnThreads) {
  const int threads = thread_count();
  set_thread_count(1);
  AttendCase<float> one = mixed_case();
  run_forward(one);
  run_backward(one);
  for (const int count : {2, 4, 16}) {
    set_thread_count(count);
    AttendCase<float> many = mixed_case();
    run_forward(many);
    run_backward(many);
    EXPECT_EQ(one.out, many.out);
    EXPECT_EQ(one.lse, many.lse);
    EXPECT_EQ(one.dq, many.dq);
    EXPECT_EQ(one.dk, many.dk);
    EXPECT_EQ(one.dv, many.dv);
    EXPECT_EQ(one.dbias, many.dbias);
    EXPECT_EQ(one.dkey_relation, many.dkey_relation);
    EXPECT_EQ(one.dvalue_relation, many.dvalue_relation);
  }
  set_thread_count(threads);
}

/// Sequence 0 of `c`, which has as many queries as keys, without what follows it; with `queries`
/// only its last ones.
AttendCase<float> first_alone(const AttendCase<float>& c, Dim queries) {
  const Dim keys = c.k_offsets[1];
  AttendCase<float> alone({queries}, {keys}, c.options);
  alone.head_size = c.head_size;
  alone.value_size = c.value_size;
  alone.furthest = c.furthest;
  alone.bias = c.bias;
  alone.relations = c.relations;
  alone.key_relation = c.key_relation;
  alone.value_relation = c.value_relation;
  const auto part = [](const std::vector<float>& x, Dim begin, Dim end, Dim cols) {
    return std::vector<float>(x.begin() + begin * cols, x.begin() + end * cols);
  };
  alone.q = part(c.q, keys - queries, keys, c.options.heads * c.head_size);
  alone.k = part(c.k, 0, keys, c.options.kv_heads * c.head_size);
  alone.v = part(c.v, 0, keys, c.options.kv_heads * c.value_size);
  return alone;
}

TEST(Attend, BitsDoNotDependOnTheBatch) {
  AttendCase<float> batch = mixed_case();
  run_forward(batch);
  AttendCase<float> alone = first_alone(batch, 600);
  run_forward(alone);
  EXPECT_EQ(alone.out, std::vector<float>(batch.out.begin(), batch.out.begin() + alone.out.size()));
}

TEST(Attend, LastQueriesOfACacheHaveTheBitsOfTheWhole) {
  AttendCase<float> whole = mixed_case();
  whole.options.drop = 0;  // which weights are dropped depends on the number of the query
  run_forward(whole);
  for (const Dim queries : {1, 2, 50}) {
    AttendCase<float> step = first_alone(whole, queries);
    run_forward(step);
    const Dim cols = whole.options.heads * whole.value_size;
    EXPECT_EQ(step.out, std::vector<float>(whole.out.begin() + (600 - queries) * cols,
                                           whole.out.begin() + 600 * cols));
  }
}

// Hypotheses of a beam look at one source: together they have the bits that each has alone.
TEST(Attend, SequencesThatShareTheirKeysHaveTheBitsOfEachAlone) {
  for_each_target([] {
    AttendCase<float> c({1, 1, 1, 2, 1, 1}, {50, 50, 50, 7, 7, 0}, {.heads = 4, .kv_heads = 2});
    c.make();
    const std::vector<Dim> k_rows = {3, 3, 3, 60, 60, 0};
    AttendInput<float> in = c.input();
    in.k_rows = k_rows;
    c.out.assign(c.queries() * 4 * c.value_size, 77);
    c.lse.assign(c.queries() * 4, 77);
    attend(in, c.options, c.out_rows(), c.lse.data());
    for (std::size_t s = 0; s < k_rows.size(); ++s) {
      const Dim begin = c.q_offsets[s], rows = c.q_offsets[s + 1] - begin;
      const std::vector<Dim> q_offsets = {0, rows};
      const std::vector<Dim> k_offsets = {0, c.k_offsets[s + 1] - c.k_offsets[s]};
      AttendInput<float> one = in;
      one.q = in.q.range(begin, begin + rows);
      one.q_offsets = q_offsets, one.k_offsets = k_offsets;
      one.k_rows = std::span(k_rows).subspan(s, 1);
      std::vector<float> out(rows * 4 * c.value_size, 77), lse(rows * 4, 77);
      attend(one, c.options, rows_of(out.data(), rows, 4 * c.value_size), lse.data());
      for (Dim i = 0; i < std::ssize(out); ++i) {
        ASSERT_EQ(out[i], c.out[begin * 4 * c.value_size + i]) << "sequence " << s;
      }
      for (Dim i = 0; i < rows * 4; ++i) ASSERT_EQ(lse[i], c.lse[begin * 4 + i]);
    }
  });
}

TEST(Attend, ColumnsOfOneMatrixAreReadAndWrittenInPlace) {
  for_each_target([] {
    AttendCase<float> c({5, 30}, {5, 30}, {.heads = 2, .kv_heads = 2});
    c.head_size = c.value_size = 5;
    c.make();
    run_forward(c);
    run_backward(c);
    TestRows packed(35, 31, 1, 1), out(35, 10, 1, 1), gradient(35, 31, 1, 1);
    for (Dim r = 0; r < 35; ++r) {
      std::copy_n(c.q.data() + r * 10, 10, packed.view()[r]);
      std::copy_n(c.k.data() + r * 10, 10, packed.view()[r] + 10);
      std::copy_n(c.v.data() + r * 10, 10, packed.view()[r] + 20);
    }
    const auto part = [](TestRows& x, Dim n) { return x.view().columns(10 * n, 10 * n + 10); };
    const AttendInput<float> in{part(packed, 0), part(packed, 1), part(packed, 2), c.q_offsets,
                                c.k_offsets};
    std::vector<float> lse(70);
    attend(in, c.options, out.view(), lse.data());
    expect_near(out.view(), c.out_rows(), 0);
    out.expect_guards();
    const float after = gradient.view()[34][30];
    attend_backward(in, c.options, out.view(), lse.data(),
                    rows_of<const float>(c.dout.data(), 35, 10),
                    {part(gradient, 0), part(gradient, 1), part(gradient, 2)});
    expect_near(part(gradient, 0), rows_of<const float>(c.dq.data(), 35, 10), 0);
    expect_near(part(gradient, 1), rows_of<const float>(c.dk.data(), 35, 10), 0);
    expect_near(part(gradient, 2), rows_of<const float>(c.dv.data(), 35, 10), 0);
    EXPECT_EQ(gradient.view()[34][30], after);
  });
}

TEST(Attend, NotANumberIsNotHidden) {
  for_each_target([] {
    AttendCase<float> c({20}, {20}, {.causal = true});
    c.make();
    c.k[10 * c.head_size] = std::nanf("");
    run_forward(c);
    EXPECT_FALSE(std::isnan(c.out_rows()[9][0]));
    EXPECT_TRUE(std::isnan(c.out_rows()[10][0]));
  });
}

TEST(Attend, NothingButNotANumberIsNotHidden) {
  for_each_target([] {
    for (const Dim keys : {1, 5, 20, 33, 48, 50, 300}) {
      AttendCase<float> c({5}, {keys}, {});
      c.make();
      c.q[3 * c.head_size * c.options.heads] = std::nanf("");
      run_forward(c);
      EXPECT_FALSE(std::isnan(c.out_rows()[2][0])) << keys;
      EXPECT_TRUE(std::isnan(c.out_rows()[3][0])) << keys;
    }
  });
}

}  // namespace
}  // namespace fovea::kernels
