#include "fovea/kernels/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/base/threads.h"
#include "fovea/kernels/amx.h"
#include "fovea/kernels/convert_plain.h"
#include "fovea/kernels/gemm_plain.h"
#include "fovea/kernels/kernel_testing.h"
#include "fovea/kernels/products.h"

namespace fovea::kernels {
namespace {

struct Way {
  const char* name;
  Products products;
  bool amx = true;
};

/// All that holds of products holds of floats and of bfloat16, by AMX where there is one and
/// without.
class Gemm : public ::testing::TestWithParam<Way> {
 protected:
  Gemm() {
    if (!GetParam().amx) without_.emplace();
  }

 private:
  ProductsOf products_{GetParam().products};
  std::optional<WithoutAmx> without_;
};
INSTANTIATE_TEST_SUITE_P(, Gemm,
                         ::testing::Values(Way{"float32", Products::float32},
                                           Way{"bfloat16", Products::bfloat16},
                                           Way{"bfloat16_without_amx", Products::bfloat16, false}),
                         [](const auto& info) { return info.param.name; });

/// Operands of an (m, k) by (k, n) product, stored as the options say.
struct Operands {
  TestRows a, b;
  Operands(Dim m, Dim n, Dim k, const GemmOptions<float>& options, Dim misalign = 0)
      : a(options.transpose_a ? k : m, options.transpose_a ? m : k, misalign, 1),
        b(options.transpose_b ? n : k, options.transpose_b ? k : n, misalign, 2) {}

  /// As the product takes them.
  void round() {
    if (products() == Products::float32) return;
    for (const Rows<float> x : {a.view(), b.view()}) {
      for (Dim i = 0; i < x.rows; ++i) {
        for (float& number : std::span(x[i], x.cols)) {
          number = plain::bfloat_to_float(plain::float_to_bfloat(number));
        }
      }
    }
  }
};

void expect_same_bits(Rows<const float> actual, Rows<const float> expected) {
  for (Dim r = 0; r < actual.rows; ++r) {
    ASSERT_EQ(std::memcmp(actual[r], expected[r], sizeof(float) * actual.cols), 0) << "row " << r;
  }
}

void expect_twin(Dim m, Dim n, Dim k, GemmOptions<float> options, Dim misalign = 0) {
  SCOPED_TRACE(concat(m, " x ", n, " x ", k, options.transpose_a ? " a'" : " a",
                      options.transpose_b ? " b'" : " b", options.accumulate ? " accumulate" : "",
                      options.bias ? " bias" : "", options.relu ? " relu" : ""));
  Operands x(m, n, k, options, misalign);
  TestRows c(m, n, misalign, 3), expected(m, n, 0, 3), packed(m, n, misalign, 3);
  gemm(x.a.view(), x.b.view(), c.view(), options);
  gemm(x.a.view(), PackedMatrix<float>(x.b.view(), options.transpose_b), packed.view(), options);
  x.round();
  plain::gemm<float>(x.a.view(), x.b.view(), expected.view(), options);
  expect_near(c.view(), expected.view(), 2e-6F * static_cast<float>(k + 10));
  c.expect_guards();
  expect_same_bits(packed.view(), c.view());
  packed.expect_guards();
}

template <class Body>
void for_each_transposition(Body&& body) {
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) body(GemmOptions<float>{.transpose_a = a, .transpose_b = b});
  }
}

TEST_P(Gemm, EqualsItsTwinOnSmallSizes) {
  for_each_target([] {
    for_each_transposition([](const GemmOptions<float>& options) {
      for (Dim m = 0; m <= 19; ++m) {
        for (Dim n = 0; n <= 19; ++n) {
          for (Dim k : {0, 1, 2, 3, 4, 5, 8, 13, 17, 20}) {
            expect_twin(m, n, k, options, (m + n + k) % 4);
          }
        }
      }
    });
  });
}

TEST_P(Gemm, EqualsItsTwinOnLargeSizes) {
  const Dim sizes[][3] = {{67, 130, 300}, {300, 67, 130},  {130, 300, 67},  {1, 500, 700},
                          {3, 200, 513},  {2, 1000, 256},  {130, 97, 1025}, {257, 33, 257},
                          {5, 1, 1000},   {200, 161, 512}, {1, 1, 3000}};
  for_each_target([&] {
    for_each_transposition([&](const GemmOptions<float>& options) {
      for (auto [m, n, k] : sizes) expect_twin(m, n, k, options, 1);
    });
  });
}

TEST_P(Gemm, AccumulatesAddsBiasAndCutsBelowZero) {
  TestRows bias(1, 300, 3, 4);
  for_each_target([&] {
    for_each_transposition([&](GemmOptions<float> options) {
      for (int bits = 1; bits < 8; ++bits) {
        options.accumulate = bits & 1;
        options.relu = bits & 2;
        options.bias = bits & 4 ? bias.view()[0] : nullptr;
        for (Dim k : {0, 1, 31, 600}) {
          expect_twin(7, 37, k, options);
          expect_twin(1, 150, k, options);
          expect_twin(110, 70, k, options);
        }
      }
    });
  });
}

TEST_P(Gemm, RowDoesNotDependOnItsBatch) {
  constexpr Dim rows = 230, cols = 75, depth = 600;
  for_each_target([] {
    for (const bool transpose_b : {false, true}) {
      const GemmOptions<float> options{.transpose_b = transpose_b};
      Operands x(rows, cols, depth, options);
      TestRows whole(rows, cols, 0, 3);
      gemm(x.a.view(), x.b.view(), whole.view(), options);
      const PackedMatrix<float> packed(x.b.view(), transpose_b);
      for (Dim count : {1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 33, 100}) {
        for (Dim begin : {0, 1, 5, 97, 130}) {
          TestRows part(count, cols, 1, 3);
          const auto a = x.a.view().range(begin, begin + count);
          const auto expected = whole.view().range(begin, begin + count);
          gemm(a, x.b.view(), part.view(), options);
          expect_same_bits(part.view(), expected);
          gemm(a, packed, part.view());
          expect_same_bits(part.view(), expected);
        }
      }
    }
  });
}

TEST_P(Gemm, ColumnDoesNotDependOnItsNeighbours) {
  for_each_target([] {
    Operands x(50, 150, 300, {});
    TestRows whole(50, 150, 0, 3);
    gemm(x.a.view(), x.b.view(), whole.view());
    for (Dim begin : {0, 1, 47}) {
      TestRows part(50, 29, 0, 3);
      gemm(x.a.view(), x.b.view().columns(begin, begin + 29), part.view());
      expect_same_bits(part.view(), whole.view().columns(begin, begin + 29));
    }
  });
}

TEST_P(Gemm, BitsDoNotDependOnStorage) {
  constexpr Dim m = 103, n = 85, k = 530;
  for_each_target([] {
    Operands straight(m, n, k, {}), turned(m, n, k, {.transpose_a = true, .transpose_b = true});
    for (Dim i = 0; i < m; ++i) {
      for (Dim j = 0; j < k; ++j) turned.a.view()[j][i] = straight.a.view()[i][j];
    }
    for (Dim i = 0; i < k; ++i) {
      for (Dim j = 0; j < n; ++j) turned.b.view()[j][i] = straight.b.view()[i][j];
    }
    TestRows expected(m, n, 0, 3), c(m, n, 0, 4);
    gemm(straight.a.view(), straight.b.view(), expected.view());
    for_each_transposition([&](const GemmOptions<float>& options) {
      gemm((options.transpose_a ? turned : straight).a.view(),
           (options.transpose_b ? turned : straight).b.view(), c.view(), options);
      expect_same_bits(c.view(), expected.view());
    });
  });
}

TEST_P(Gemm, BitsDoNotDependOnThreads) {
  const int before = thread_count();
  const Dim sizes[][3] = {{1, 2000, 700}, {64, 500, 300}, {300, 250, 513}, {110, 2100, 520}};
  for (const auto& size : sizes) {
    for_each_transposition([&](const GemmOptions<float>& options) {
      const auto [m, n, k] = size;
      Operands x(m, n, k, options);
      TestRows expected(m, n, 0, 3), c(m, n, 0, 4);
      set_thread_count(1);
      gemm(x.a.view(), PackedMatrix<float>(x.b.view(), options.transpose_b), expected.view(),
           options);
      for (int threads : {2, 3, 4, 7}) {
        set_thread_count(threads);
        gemm(x.a.view(), x.b.view(), c.view(), options);
        expect_same_bits(c.view(), expected.view());
      }
    });
  }
  set_thread_count(before);
}

TEST_P(Gemm, ReluKeepsNan) {
  for_each_target([] {
    TestRows a(2, 3, 0, 1), b(3, 20, 0, 2), c(2, 20, 0, 3);
    a.view()[1][1] = std::numeric_limits<float>::quiet_NaN();
    gemm(a.view(), b.view(), c.view(), {.relu = true});
    for (Dim j = 0; j < 20; ++j) {
      EXPECT_GE(c.view()[0][j], 0);
      EXPECT_TRUE(std::isnan(c.view()[1][j]));
    }
  });
}

TEST_P(Gemm, BatchEqualsOneByOne) {
  constexpr Dim heads = 4, width = 24;
  for_each_target([] {
    for (Dim rows : {0, 5, 150}) {
      TestRows q(rows, heads * width, 0, 1), k(rows, heads * width, 0, 2);
      TestRows all(heads * rows, rows, 0, 3), one(heads * rows, rows, 0, 3);
      const GemmOptions<float> options{.transpose_b = true};
      std::vector<GemmProblem<float>> problems;
      for (Dim h = 0; h < heads; ++h) {
        const auto a = q.view().columns(h * width, (h + 1) * width);
        const auto b = k.view().columns(h * width, (h + 1) * width);
        problems.push_back({a, b, all.view().range(h * rows, (h + 1) * rows)});
        gemm(a, b, one.view().range(h * rows, (h + 1) * rows), options);
      }
      gemm_batch(problems, options);
      expect_same_bits(all.view(), one.view());
    }
  });
}

TEST_P(Gemm, DoubleTakesThePlainPath) {
  std::vector<double> a{1, 2, 3, 4, 5, 6}, b{1, 0, 2, 1, 0, 3}, bias{10, 20}, c(4), d(4);
  const GemmOptions<double> options{.transpose_b = true, .bias = bias.data()};
  gemm(rows_of<const double>(a.data(), 2, 3), rows_of<const double>(b.data(), 2, 3),
       rows_of(c.data(), 2, 2), options);
  EXPECT_EQ(c, (std::vector<double>{17, 30, 26, 42}));
  const PackedMatrix<double> packed(rows_of<const double>(b.data(), 2, 3), true);
  gemm(rows_of<const double>(a.data(), 2, 3), packed, rows_of(d.data(), 2, 2), options);
  EXPECT_EQ(d, c);
}

TEST_P(Gemm, SaysWhichShapesDoNotFit) {
  TestRows a(2, 3, 0, 1), b(4, 5, 0, 2), c(2, 5, 0, 3);
  EXPECT_THROW(gemm(a.view(), b.view(), c.view()), Error);
}

TEST(Products, AreOfFloatsUnlessAskedOtherwise) {
  TestRows a(1, 1, 0, 1), b(1, 1, 0, 2), c(1, 1, 0, 3);
  a.view()[0][0] = 1 + 0x1p-12F;  // a bfloat16 has no room for the last bit
  b.view()[0][0] = 1;
  const auto product = [&] {
    gemm(a.view(), b.view(), c.view());
    return c.view()[0][0];
  };
  EXPECT_EQ(product(), 1 + 0x1p-12F);
  {
    const ProductsOf bfloats(Products::bfloat16);
    EXPECT_EQ(product(), can_multiply_bfloat16() ? 1 : 1 + 0x1p-12F);
    const ProductsOf floats(Products::float32);
    EXPECT_EQ(product(), 1 + 0x1p-12F);
  }
  EXPECT_EQ(product(), 1 + 0x1p-12F);
}

/// Rows by a weight (out, in) of int8.
class Int8 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_multiply_int8()) GTEST_SKIP() << "this CPU does not multiply int8 (AVX512_VNNI)";
  }

  static void expect_twin(Dim m, Dim n, Dim k, const GemmOptions<float>& options = {},
                          Dim misalign = 0) {
    SCOPED_TRACE(concat(m, " x ", n, " x ", k, options.accumulate ? " accumulate" : "",
                        options.bias ? " bias" : "", options.relu ? " relu" : ""));
    Operands x(m, n, k, {.transpose_b = true}, misalign);
    TestRows c(m, n, misalign, 3), expected(m, n, 0, 3);
    gemm(x.a.view(), PackedMatrix<float>::of_weight(x.b.view()), c.view(), options);
    const std::vector<float> a = plain::as_int8(x.a.view()), b = plain::as_int8(x.b.view());
    GemmOptions<float> stored = options;
    stored.transpose_b = true;
    plain::gemm<float>(rows_of(a.data(), m, k), rows_of(b.data(), n, k), expected.view(), stored);
    expect_near(c.view(), expected.view(), 2e-6F * static_cast<float>(k + 10));
    c.expect_guards();
  }

 private:
  ProductsOf products_{Products::int8};
};

TEST_F(Int8, EqualsItsTwin) {
  for (Dim m = 0; m <= 19; ++m) {
    for (Dim n = 0; n <= 19; ++n) {
      for (Dim k : {0, 1, 2, 3, 4, 5, 8, 13, 17, 20}) expect_twin(m, n, k, {}, (m + n + k) % 4);
    }
  }
  const Dim sizes[][3] = {{67, 130, 300},  {1, 500, 1024}, {3, 200, 1025}, {2, 1000, 2300},
                          {130, 97, 4100}, {257, 33, 257}, {5, 1, 1000}};
  for (auto [m, n, k] : sizes) expect_twin(m, n, k, {}, 1);
}

TEST_F(Int8, AccumulatesAddsBiasAndCutsBelowZero) {
  TestRows bias(1, 150, 3, 4);
  for (int bits = 1; bits < 8; ++bits) {
    const GemmOptions<float> options{.accumulate = (bits & 1) != 0,
                                     .bias = bits & 4 ? bias.view()[0] : nullptr,
                                     .relu = (bits & 2) != 0};
    for (Dim k : {0, 31, 1500}) {
      expect_twin(7, 37, k, options);
      expect_twin(1, 150, k, options);
    }
  }
}

TEST_F(Int8, RowDoesNotDependOnItsBatchNorOnThreads) {
  constexpr Dim rows = 230, cols = 75, depth = 1600;
  Operands x(rows, cols, depth, {.transpose_b = true});
  const auto weight = PackedMatrix<float>::of_weight(x.b.view());
  const int before = thread_count();
  TestRows whole(rows, cols, 0, 3);
  set_thread_count(1);
  gemm(x.a.view(), weight, whole.view());
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    for (Dim count : {1, 2, 3, 4, 7, 8, 16, 100, 230}) {
      TestRows part(count, cols, 1, 3);
      gemm(x.a.view().range(rows - count, rows), weight, part.view());
      expect_same_bits(part.view(), whole.view().range(rows - count, rows));
    }
  }
  set_thread_count(before);
}

TEST_F(Int8, ShowsWhatIsNotFinite) {
  TestRows a(3, 40, 0, 1), b(20, 40, 0, 2), c(3, 20, 0, 3);
  a.view()[1][33] = std::numeric_limits<float>::quiet_NaN();
  a.view()[2][5] = std::numeric_limits<float>::infinity();
  gemm(a.view(), PackedMatrix<float>::of_weight(b.view()), c.view());
  for (Dim j = 0; j < 20; ++j) {
    EXPECT_TRUE(std::isfinite(c.view()[0][j]));
    EXPECT_FALSE(std::isfinite(c.view()[1][j]));
    EXPECT_FALSE(std::isfinite(c.view()[2][j]));
  }
}

TEST_F(Int8, IsForWeightsAlone) {
  EXPECT_EQ(weight_products(), Products::int8);
  EXPECT_EQ(products(), Products::float32);
  Operands x(3, 20, 40, {.transpose_b = true});
  TestRows c(3, 20, 0, 3), packed(3, 20, 0, 3);
  gemm(x.a.view(), x.b.view(), c.view(), {.transpose_b = true});
  gemm(x.a.view(), PackedMatrix<float>(x.b.view(), true), packed.view());
  expect_same_bits(packed.view(), c.view());
}

TEST(PackedMatrix, StaysAsItWasPacked) {
  TestRows a(3, 5, 0, 1), b(5, 4, 0, 2), before(3, 4, 0, 3), after(3, 4, 0, 3);
  PackedMatrix<float> packed;
  {
    const ProductsOf bfloats(Products::bfloat16);
    packed = PackedMatrix<float>(b.view());
    gemm(a.view(), packed, before.view());
  }
  gemm(a.view(), packed, after.view());
  expect_same_bits(after.view(), before.view());
}

TEST(PackedMatrix, GivesItsMemoryBack) {
  const auto before = Arena::shared().stats().blocks;
  {
    TestRows b(100, 50, 0, 1);
    PackedMatrix<float> packed(b.view()), moved = std::move(packed);
    EXPECT_EQ(moved.depth(), 100);
    EXPECT_EQ(moved.cols(), 50);
    EXPECT_EQ(Arena::shared().stats().blocks, before + 1);
  }
  EXPECT_EQ(Arena::shared().stats().blocks, before);
}

}  // namespace
}  // namespace fovea::kernels
