#include "fovea/kernels/indexed_rows.h"

#include <gtest/gtest.h>

#include "fovea/kernels/indexed_rows_plain.h"
#include "fovea/kernels/kernel_testing.h"

namespace fovea::kernels {
namespace {

TEST(IndexedRows, EqualTheirTwinsOnEveryTarget) {
  for_each_target([] {
    const std::int32_t index[] = {3, 0, 3, 1, 3};
    for_each_shape(5, [&](Dim rows, Dim cols, Dim misalign) {
      TestRows table(4, cols, misalign, 1), expected_table(4, cols, 0, 1),
          y(rows, cols, misalign, 2), expected(rows, cols, 0, 2);
      gather_rows(table.view(), index, y.view());
      plain::gather_rows<float>(table.view(), index, expected.view());
      expect_near(y.view(), expected.view(), 0);
      y.expect_guards();
      TestRows x(rows, cols, misalign, 3);
      scatter_add_rows(x.view(), index, table.view());
      plain::scatter_add_rows<float>(x.view(), index, expected_table.view());
      expect_near(table.view(), expected_table.view(), 0);  // the same order: the same bits
      table.expect_guards();
    });
  });
}

TEST(IndexedRows, ScatterHasTheSameBitsOnAnyThreads) {
  TestRows x(5000, 100, 0, 1);
  std::vector<std::int32_t> index;
  for (int i = 0; i < 5000; ++i) index.push_back(i * 7 % 13);
  expect_same_bits_on_any_threads([&] {
    std::vector<float> table(13 * 100, 0);
    scatter_add_rows(x.view(), index.data(), rows_of(table.data(), 13, 100));
    return table;
  });
}

TEST(PoolSegments, EqualsItsTwinOnEveryTarget) {
  const std::vector<Dim> offsets = {0, 3, 3, 4, 11};
  for_each_target([&] {
    for (const Pool pool : {Pool::sum, Pool::mean, Pool::max}) {
      for_each_shape(11, [&](Dim rows, Dim cols, Dim misalign) {
        TestRows x(rows, cols, misalign, 1), y(4, cols, misalign, 2), expected(4, cols, 0, 2);
        if (cols > 1) x.view()[5][1] = x.view()[7][1] = 9;  // equal largest: the first counts
        std::vector<std::int32_t> where(4 * cols, 0), expected_where(4 * cols, 0);
        const auto w = rows_of(where.data(), 4, cols);
        pool_segments(pool, x.view(), offsets, y.view(), w);
        plain::pool_segments<float>(pool, x.view(), offsets, expected.view(),
                                    rows_of(expected_where.data(), 4, cols));
        expect_near(y.view(), expected.view(), 2e-6F);
        EXPECT_EQ(where, expected_where);
        y.expect_guards();
        TestRows dx(rows, cols, misalign, 3), expected_dx(rows, cols, 0, 4);
        pool_segments_backward(pool, y.view(), offsets, w, dx.view());
        plain::pool_segments_backward<float>(pool, y.view(), offsets, w, expected_dx.view());
        expect_near(dx.view(), expected_dx.view(), 0);
        dx.expect_guards();
      });
    }
  });
}

}  // namespace
}  // namespace fovea::kernels
