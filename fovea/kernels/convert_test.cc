#include "fovea/kernels/convert.h"

#include <gtest/gtest.h>

#include <limits>

#include "fovea/kernels/convert_plain.h"
#include "fovea/kernels/kernel_testing.h"

namespace fovea::kernels {
namespace {

bool is_nan_half(std::uint16_t x) { return (x & 0x7FFF) > 0x7C00; }
bool is_nan_bfloat(std::uint16_t x) { return (x & 0x7FFF) > 0x7F80; }

TEST(Convert, EverySixteenBitNumberComesBack) {
  for_each_target([] {
    std::vector<std::uint16_t> all(65536), back(65536);
    std::vector<float> y(65536);
    for (int i = 0; i < 65536; ++i) all[i] = static_cast<std::uint16_t>(i);
    half_to_float(all.data(), y.data(), 65536);
    float_to_half(y.data(), back.data(), 65536);
    for (int i = 0; i < 65536; ++i) {
      ASSERT_EQ(std::isnan(y[i]), is_nan_half(all[i]));
      if (is_nan_half(all[i])) {
        ASSERT_TRUE(is_nan_half(back[i]));
        continue;
      }
      ASSERT_EQ(y[i], plain::half_to_float(all[i]));
      ASSERT_EQ(back[i], all[i]);
    }
    bfloat_to_float(all.data(), y.data(), 65536);
    float_to_bfloat(y.data(), back.data(), 65536);
    for (int i = 0; i < 65536; ++i) {
      ASSERT_EQ(std::isnan(y[i]), is_nan_bfloat(all[i]));
      ASSERT_EQ(is_nan_bfloat(back[i]), is_nan_bfloat(all[i]));
      if (!is_nan_bfloat(all[i])) {
        ASSERT_EQ(back[i], all[i]);
      }
    }
  });
}

TEST(Convert, RoundsToTheNearestEven) {
  EXPECT_EQ(plain::float_to_half(1 + 0x1p-11F), 0x3C00);             // between two: to even
  EXPECT_EQ(plain::float_to_half(1 + 3 * 0x1p-11F), 0x3C02);         // between two: to even
  EXPECT_EQ(plain::float_to_half(1 + 0x1p-11F + 0x1p-20F), 0x3C01);  // nearer to the upper
  EXPECT_EQ(plain::float_to_half(65519.99F), 0x7BFF);
  EXPECT_EQ(plain::float_to_half(65520.0F), 0x7C00);
  EXPECT_EQ(plain::float_to_half(0x1p-25F), 0);
  EXPECT_EQ(plain::float_to_bfloat(1 + 0x1p-8F), 0x3F80);
  EXPECT_EQ(plain::float_to_bfloat(1 + 3 * 0x1p-8F), 0x3F82);
  EXPECT_EQ(plain::float_to_bfloat(std::numeric_limits<float>::max()), 0x7F80);
  for_each_target([] {
    // Each number beside and between the halves, and the same for bfloats, in all sizes of a row.
    const Dim n = 1 << 18;
    std::vector<float> x(n);
    std::vector<std::uint16_t> halves(n), bfloats(n);
    for (Dim i = 0; i < n; ++i) {
      x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(i) << 14 | (i % 3 == 0 ? 1U : 0U));
    }
    x[7] = 0x1.fp-25F, x[8] = 1 + 0x1p-11F, x[9] = -(1 + 3 * 0x1p-11F), x[10] = 0x3p-25F;
    float_to_half(x.data(), halves.data(), n);
    float_to_bfloat(x.data(), bfloats.data(), n);
    for (Dim i = 0; i < n; ++i) {
      if (std::isnan(x[i])) {
        ASSERT_TRUE(is_nan_half(halves[i]) && is_nan_bfloat(bfloats[i]));
      } else {
        ASSERT_EQ(halves[i], plain::float_to_half(x[i])) << x[i];
        ASSERT_EQ(bfloats[i], plain::float_to_bfloat(x[i])) << x[i];
      }
    }
  });
}

TEST(Convert, WritesNothingPastTheEnd) {
  for_each_target([] {
    for_each_shape(1, [](Dim, Dim n, Dim misalign) {
      TestRows x(1, n, misalign, 1), y(1, n, misalign, 2);
      std::vector<std::uint16_t> bits(n + 1, 77);
      float_to_half(x.view()[0], bits.data(), n);
      half_to_float(bits.data(), y.view()[0], n);
      expect_near(y.view(), x.view(), 2e-3F);
      float_to_bfloat(x.view()[0], bits.data(), n);
      bfloat_to_float(bits.data(), y.view()[0], n);
      expect_near(y.view(), x.view(), 2e-2F);
      EXPECT_EQ(bits[n], 77);
      std::vector<double> wide(n + 1, 77);
      float_to_double(x.view()[0], wide.data(), n);
      double_to_float(wide.data(), y.view()[0], n);
      expect_near(y.view(), x.view(), 0);
      EXPECT_EQ(wide[n], 77);
      y.expect_guards();
    });
  });
}

}  // namespace
}  // namespace fovea::kernels
