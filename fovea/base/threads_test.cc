#include "fovea/base/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "fovea/base/check.h"

namespace fovea {
namespace {

class Threads : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
  void TearDown() override { set_thread_count(before_); }
  int before_ = thread_count();
};

TEST_P(Threads, RangesCoverEachIndexOnce) {
  for (Dim count : {0, 1, 2, 3, 7, 100, 1001}) {
    std::vector<int> seen(count, 0);
    parallel_for(count, 3, [&](Dim begin, Dim end) {
      for (Dim i = begin; i < end; ++i) ++seen[i];
    });
    for (int n : seen) EXPECT_EQ(n, 1);
  }
}

TEST_P(Threads, SmallLoopsAreOneRange) {
  std::atomic<int> calls = 0;
  parallel_for(10, 100, [&](Dim, Dim) { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST_P(Threads, TasksAreEachDoneOnce) {
  std::vector<int> seen(57, 0);
  parallel_tasks(57, [&](Dim i) { ++seen[i]; });
  for (int n : seen) EXPECT_EQ(n, 1);
}

TEST_P(Threads, NestedLoopsWork) {
  std::vector<int> seen(40, 0);
  parallel_tasks(4, [&](Dim i) {
    parallel_for(10, 1, [&](Dim begin, Dim end) {
      for (Dim j = begin; j < end; ++j) ++seen[10 * i + j];
    });
  });
  for (int n : seen) EXPECT_EQ(n, 1);
}

TEST_P(Threads, ExceptionsReachTheCaller) {
  EXPECT_THROW(parallel_for(100, 1, [](Dim, Dim) { fail("range"); }), Error);
  EXPECT_THROW(parallel_tasks(100, [](Dim i) { FOVEA_CHECK(i != 50, "task"); }), Error);
}

INSTANTIATE_TEST_SUITE_P(Counts, Threads, ::testing::Values(1, 2, 4));

TEST(ThreadCount, RefusesZero) { EXPECT_THROW(set_thread_count(0), Error); }

}  // namespace
}  // namespace fovea
