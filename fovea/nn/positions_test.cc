#include "fovea/nn/positions.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fovea {
namespace {

TEST(Positions, CountWithinEachSequence) {
  const Segments segments = Segments::of_lengths({3, 0, 2});
  EXPECT_TRUE(identical(positions_of(segments), Tensor::of<std::int32_t>({5}, {0, 1, 2, 0, 1})));
  const Dim offsets[] = {4, 9, 7};
  EXPECT_TRUE(
      identical(positions_of(segments, offsets), Tensor::of<std::int32_t>({5}, {4, 5, 6, 7, 8})));
  EXPECT_THROW(positions_of(segments, std::span(offsets, 2)), Error);
  EXPECT_EQ(positions_of(Segments()).size(), 0);
}

TEST(Positions, SinusoidsAreAsInThePaper) {
  const Tensor positions = Tensor::of<std::int32_t>({4}, {0, 7, 1, 7});
  const Tensor pe = sinusoidal(positions, 5, DType::f64);
  for (Dim r = 0; r < 4; ++r) {
    const double p = positions.data<std::int32_t>()[r];
    const double* row = pe.view<double>()[r];
    EXPECT_EQ(row[0], std::sin(p));
    EXPECT_EQ(row[1], std::cos(p));
    EXPECT_NEAR(row[2], std::sin(p / std::pow(10000, 2.0 / 5)), 1e-15);
    EXPECT_NEAR(row[3], std::cos(p / std::pow(10000, 2.0 / 5)), 1e-15);
    EXPECT_NEAR(row[4], std::sin(p / std::pow(10000, 4.0 / 5)), 1e-15);
  }
  EXPECT_EQ(sinusoidal(Tensor::empty({0}, DType::i32), 5).rows(), 0);
}

TEST(Positions, HalvesAreTheSameColumnsInAnotherOrder) {
  const Tensor positions = Tensor::of<std::int32_t>({3}, {0, 7, 100});
  const Tensor paper = sinusoidal(positions, 6, DType::f64);
  const Tensor halves = sinusoidal(positions, 6, DType::f64, SinusoidLayout::halves);
  for (Dim r = 0; r < 3; ++r) {
    for (Dim i = 0; i < 3; ++i) {
      EXPECT_EQ(halves.view<double>()[r][i], paper.view<double>()[r][2 * i]);
      EXPECT_EQ(halves.view<double>()[r][3 + i], paper.view<double>()[r][2 * i + 1]);
      const Sinusoid wave = sinusoid(3 + i, 6, SinusoidLayout::halves);
      EXPECT_TRUE(wave.cosine);
      EXPECT_NEAR(std::cos(positions.data<std::int32_t>()[r] * wave.frequency),
                  halves.view<double>()[r][3 + i], 1e-12);
    }
  }
}

}  // namespace
}  // namespace fovea
