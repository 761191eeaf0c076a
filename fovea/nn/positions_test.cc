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

}  // namespace
}  // namespace fovea
