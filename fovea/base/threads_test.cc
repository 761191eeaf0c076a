#include "fovea/base/threads.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>
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

TEST_P(Threads, LoopsOfSeveralThreadsWorkAtOnce) {
  constexpr int kLoops = 200;
  std::vector<int> sums(3, 0);
  std::vector<std::thread> callers;
  for (int& sum : sums) {
    callers.emplace_back([&sum] {
      for (int n = 0; n < kLoops; ++n) {
        std::vector<int> seen(50, 0);
        parallel_for(50, 1, [&](Dim begin, Dim end) {
          for (Dim i = begin; i < end; ++i) ++seen[i];
        });
        for (int one : seen) sum += one;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (int sum : sums) EXPECT_EQ(sum, 50 * kLoops);
}

TEST_P(Threads, LoopsFollowEachOtherAtOnceAndAfterASleep) {
  using namespace std::chrono_literals;
  for (int n = 0; n < 2000; ++n) {
    if (n % 500 == 0) std::this_thread::sleep_for(5ms);  // long enough for all others to sleep
    std::atomic<int> done = 0;
    parallel_tasks(9, [&](Dim) { ++done; });
    ASSERT_EQ(done, 9);
  }
}

TEST_P(Threads, AnExceptionIsNotSeenByTheNextLoop) {
  EXPECT_THROW(parallel_tasks(8, [](Dim) { fail("task"); }), Error);
  EXPECT_NO_THROW(parallel_tasks(8, [](Dim) {}));
}

INSTANTIATE_TEST_SUITE_P(Counts, Threads, ::testing::Values(1, 2, 4));

/// In how many of so many loops another thread than this one worked on each core.
std::vector<int> loops_of_others(int loops) {
  using namespace std::chrono_literals;
  std::vector<int> seen(CPU_SETSIZE);
  const std::thread::id caller = std::this_thread::get_id();
  for (int n = 0; n < loops; ++n) {
    parallel_for(2, 1, [&](Dim, Dim) {
      const auto end = std::chrono::steady_clock::now() + 100us;
      while (std::chrono::steady_clock::now() < end) {
      }
      if (std::this_thread::get_id() != caller) ++seen[::sched_getcpu()];
    });
  }
  return seen;
}

TEST(Cores, AThreadLeavesThatOfTheCaller) {
  cpu_set_t mine;
  ASSERT_EQ(::sched_getaffinity(0, sizeof mine, &mine), 0);
  if (CPU_COUNT(&mine) < 2) GTEST_SKIP() << "one core";
  const int before = thread_count();
  set_thread_count(2);
  const std::vector<int> first = loops_of_others(200);
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (first[core] == 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);  // onto the core of the other
    // It is seen there once, and may have begun the next loop when it is told to go.
    EXPECT_LE(loops_of_others(500)[core], 2) << "core " << core;
  }
  ::sched_setaffinity(0, sizeof mine, &mine);
  set_thread_count(before);
}

TEST(ThreadCount, RefusesZeroAndTooMany) {
  EXPECT_THROW(set_thread_count(0), Error);
  EXPECT_THROW(set_thread_count(1000000), Error);
}

}  // namespace
}  // namespace fovea
