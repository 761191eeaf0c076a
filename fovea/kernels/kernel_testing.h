/// For the tests of kernels: every SIMD target of this machine, odd sizes, misaligned memory.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "fovea/base/rng.h"
#include "fovea/base/threads.h"
#include "fovea/base/view.h"
#include "fovea/kernels/targets.h"
#include "hwy/highway.h"
#include "hwy/targets.h"

namespace fovea::kernels {

/// body() once for each SIMD target that this machine can run.
template <class Body>
void for_each_target(Body&& body) {
  std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  ASSERT_NE(targets, 0);
  for (; targets != 0; targets &= targets - 1) {
    const std::int64_t target = targets & -targets;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    SCOPED_TRACE(hwy::TargetName(target));
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// body(rows, cols, misalign) for every number of columns from none to more than four of the widest
/// vectors, at every alignment that matters.
template <class Body>
void for_each_shape(Dim rows, Body&& body) {
  for (Dim cols = 0; cols <= 67; ++cols) {
    for (Dim misalign = 0; misalign < 4; ++misalign) {
      SCOPED_TRACE(::testing::Message() << cols << " columns, misaligned by " << misalign);
      body(rows, cols, misalign);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

/// What body() returns, a vector of numbers, has the same bits on 1, 2 and 4 threads.
template <class Body>
void expect_same_bits_on_any_threads(Body&& body) {
  const int before = thread_count();
  set_thread_count(1);
  const auto expected = body();
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    const auto actual = body();
    ASSERT_EQ(actual.size(), expected.size());
    EXPECT_EQ(
        std::memcmp(actual.data(), expected.data(), expected.size() * sizeof(expected.data()[0])),
        0)
        << "on " << threads << " threads";
  }
  set_thread_count(before);
}

/// rows x cols of normal numbers that begin `misalign` floats past a cache line, with a row stride
/// of its own; a value after each row shows if a kernel writes past it.
class TestRows {
 public:
  static constexpr float kGuard = 12345.0F;

  TestRows(Dim rows, Dim cols, Dim misalign, std::uint64_t seed)
      : rows_(rows),
        cols_(cols),
        misalign_(misalign),
        data_((cols + 3) * rows + misalign + 16, kGuard) {
    const Draws draws{.seed = seed, .site = static_cast<std::uint64_t>(cols)};
    for (Dim r = 0; r < rows; ++r) {
      for (Dim c = 0; c < cols; ++c)
        view()[r][c] = draws.normal(static_cast<std::uint64_t>(r * cols + c));
    }
  }

  Rows<float> view() {
    auto* begin = data_.data();
    while (reinterpret_cast<std::uintptr_t>(begin) % 64 != 0) ++begin;
    return {begin + misalign_, rows_, cols_, cols_ + 3};
  }

  void expect_guards() {
    for (Dim r = 0; r < rows_; ++r) EXPECT_EQ(view()[r][cols_], kGuard) << "written past row " << r;
  }

 private:
  Dim rows_, cols_, misalign_;
  std::vector<float> data_;
};

inline void expect_near(Rows<const float> actual, Rows<const float> expected, float tolerance) {
  for (Dim r = 0; r < actual.rows; ++r) {
    for (Dim c = 0; c < actual.cols; ++c) {
      ASSERT_NEAR(actual[r][c], expected[r][c], tolerance) << "row " << r << ", column " << c;
    }
  }
}

}  // namespace fovea::kernels
