#include "fovea/kernels/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fovea/kernels/elementwise_plain.h"
#include "fovea/kernels/kernel_testing.h"

namespace fovea::kernels {
namespace {

constexpr Unary kUnaries[] = {Unary::relu, Unary::gelu, Unary::gelu_tanh,
                              Unary::silu, Unary::tanh, Unary::sigmoid,
                              Unary::exp,  Unary::log,  Unary::sqrt};
constexpr Binary kBinaries[] = {Binary::add, Binary::sub, Binary::mul, Binary::div};

/// Numbers that lie in the domain of every function and away from its poles.
void make_positive(Rows<float> x) {
  for (Dim r = 0; r < x.rows; ++r) {
    for (Dim c = 0; c < x.cols; ++c) x[r][c] = 0.1F + std::abs(x[r][c]);
  }
}

TEST(Unary, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for (const Unary f : kUnaries) {
      SCOPED_TRACE(static_cast<int>(f));
      for_each_shape(1, [&](Dim rows, Dim n, Dim misalign) {
        TestRows x(rows, n, misalign, 1), y(rows, n, misalign, 2), expected(rows, n, 0, 2);
        if (f == Unary::log || f == Unary::sqrt) make_positive(x.view());
        unary(f, x.view()[0], y.view()[0], n);
        plain::unary<float>(f, x.view()[0], expected.view()[0], n);
        expect_near(y.view(), expected.view(), 2e-6F);
        y.expect_guards();

        TestRows dy(rows, n, misalign, 3), dx(rows, n, misalign, 4), expected_dx(rows, n, 0, 4);
        unary_backward(f, x.view()[0], y.view()[0], dy.view()[0], dx.view()[0], n);
        plain::unary_backward<float>(f, x.view()[0], y.view()[0], dy.view()[0],
                                     expected_dx.view()[0], n);
        expect_near(dx.view(), expected_dx.view(), 4e-6F);
        dx.expect_guards();
      });
    }
  });
}

/// Every float from -110 to 110 in small steps, against the same formula in double precision.
TEST(Unary, IsAccurateOverItsRange) {
  for_each_target([] {
    const Dim n = 44001;
    std::vector<float> x(n), y(n);
    for (Dim i = 0; i < n; ++i) x[i] = static_cast<float>(i - n / 2) / 200;
    for (const Unary f : kUnaries) {
      SCOPED_TRACE(static_cast<int>(f));
      unary(f, x.data(), y.data(), n);
      for (Dim i = 0; i < n; ++i) {
        if (x[i] < 0 && (f == Unary::log || f == Unary::sqrt)) continue;
        const double exact = plain::apply<double>(f, x[i]);
        const auto rounded = static_cast<float>(exact);
        if (std::isinf(rounded)) {
          ASSERT_EQ(y[i], rounded) << x[i];
        } else {
          ASSERT_NEAR(y[i], exact, 5e-7 * std::max({1.0, std::abs(exact), double(std::abs(x[i]))}))
              << x[i];
        }
      }
    }
    for (Dim i = 0; i < n; ++i) x[i] = std::ldexp(1.0F + static_cast<float>(i) / n, -int(i % 100));
    unary(Unary::tanh, x.data(), y.data(), n);
    for (Dim i = 0; i < n; ++i) ASSERT_NEAR(y[i], std::tanh(x[i]), 5e-7 * x[i]) << x[i];
  });
}

TEST(Unary, ReachesItsLimitsAndLetsNanThrough) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  for_each_target([] {
    for (const Unary f : kUnaries) {
      SCOPED_TRACE(static_cast<int>(f));
      std::vector<float> x(19, std::numeric_limits<float>::quiet_NaN()), y(19);
      unary(f, x.data(), y.data(), 19);
      for (const float v : y) EXPECT_TRUE(std::isnan(v));
      x = {inf, -inf, 1e30F, -1e30F, 0.0F, -0.0F};
      unary(f, x.data(), y.data(), 6);
      for (int i = 0; i < 6; ++i) {
        const float expected = plain::apply(f, x[i]);
        if (x[i] < 0 && (f == Unary::gelu || f == Unary::gelu_tanh || f == Unary::silu)) {
          continue;  // -inf * 0 in the formulas: only its limit is 0
        }
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(y[i])) << x[i];
        } else {
          EXPECT_EQ(y[i], expected) << x[i];
        }
      }
    }
  });
}

TEST(Binary, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for (const Binary op : kBinaries) {
      for_each_shape(3, [&](Dim rows, Dim n, Dim misalign) {
        TestRows a(rows, n, misalign, 1), b(rows, n, misalign, 2), y(rows, n, misalign, 3),
            expected(rows, n, 0, 3);
        binary(op, a.view()[0], b.view()[0], y.view()[0], n);
        plain::binary<float>(op, a.view()[0], b.view()[0], expected.view()[0], n);
        expect_near(y.view(), expected.view(), 0);
        binary_row(op, a.view(), b.view()[0], y.view());
        plain::binary_row<float>(op, a.view(), b.view()[0], expected.view());
        expect_near(y.view(), expected.view(), 0);
        const float column[] = {0.5F, -2.0F, 3.0F};
        binary_column(op, a.view(), column, y.view());
        plain::binary_column<float>(op, a.view(), column, expected.view());
        expect_near(y.view(), expected.view(), 0);
        y.expect_guards();
      });
    }
  });
}

TEST(Axpy, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for_each_shape(1, [&](Dim rows, Dim n, Dim misalign) {
      TestRows x(rows, n, misalign, 1), y(rows, n, misalign, 2), expected(rows, n, 0, 2);
      axpy(0.7F, x.view()[0], y.view()[0], n);
      plain::axpy<float>(0.7F, x.view()[0], expected.view()[0], n);
      expect_near(y.view(), expected.view(), 1e-6F);
      scale(0.7F, x.view()[0], y.view()[0], n);
      plain::scale<float>(0.7F, x.view()[0], expected.view()[0], n);
      expect_near(y.view(), expected.view(), 0);
      y.expect_guards();
    });
  });
}

}  // namespace
}  // namespace fovea::kernels
