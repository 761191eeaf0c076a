#include "fovea/kernels/reduce.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/kernels/kernel_testing.h"
#include "fovea/kernels/reduce_plain.h"

namespace fovea::kernels {
namespace {

TEST(Reduce, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for_each_shape(7, [&](Dim rows, Dim cols, Dim misalign) {
      TestRows x(rows, cols, misalign, 1), y(rows, cols, misalign, 2);
      TestRows by_column(2, cols, misalign, 3), by_row(2, rows, 0, 4);
      column_sums(x.view(), by_column.view()[0]);
      plain::column_sums<float>(x.view(), by_column.view()[1]);
      expect_near(by_column.view().range(0, 1), by_column.view().range(1, 2), 5e-6F);
      by_column.expect_guards();
      row_sums(x.view(), by_row.view()[0]);
      plain::row_sums<float>(x.view(), by_row.view()[1]);
      expect_near(by_row.view().range(0, 1), by_row.view().range(1, 2), 1e-5F);
      by_row.expect_guards();

      std::int32_t where[7], expected_where[7];
      for (Dim c = 5; c < cols; c += 7) x.view()[2][c] = 9;  // several largest
      if (cols > 3) x.view()[3][3] = std::nanf("");
      for (Dim c = 0; c < cols; ++c) x.view()[4][c] = std::nanf("");
      row_max(x.view(), by_row.view()[0], where);
      plain::row_max<float>(x.view(), by_row.view()[1], expected_where);
      for (Dim r = 0; r < rows; ++r) {
        EXPECT_EQ(by_row.view()[0][r], by_row.view()[1][r]) << r;
        EXPECT_EQ(where[r], expected_where[r]) << r;
      }

      const float *a = x.view()[0], *b = y.view()[0];
      EXPECT_NEAR(sum(a, cols), plain::sum(a, cols), 1e-5);
      EXPECT_NEAR(dot(a, b, cols), plain::dot(a, b, cols), 1e-5);
      EXPECT_NEAR(sum_of_squares(a, cols), plain::sum_of_squares(a, cols), 1e-4);
    });
  });
}

TEST(Reduce, ManyBlocksHaveTheSameBitsOnAnyThreads) {
  const Dim rows = 1111, cols = 53;
  TestRows x(rows, cols, 0, 1), expected(1, cols, 0, 2);
  plain::column_sums<float>(x.view(), expected.view()[0]);
  expect_same_bits_on_any_threads([&] {
    TestRows sums(1, cols, 0, 2);
    column_sums(x.view(), sums.view()[0]);
    expect_near(sums.view(), expected.view(), 2e-4F);
    return std::vector<float>(sums.view()[0], sums.view()[0] + cols);
  });
  const Dim count = 60001;
  TestRows numbers(1, count, 0, 3);
  const float* all = numbers.view()[0];
  expect_same_bits_on_any_threads([&] {
    EXPECT_NEAR(sum(all, count), plain::sum(all, count), 0.01);
    return std::vector<double>{sum(all, count), dot(all, all + 1, count - 1),
                               sum_of_squares(all, count)};
  });
}

}  // namespace
}  // namespace fovea::kernels
