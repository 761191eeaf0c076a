#include "fovea/base/threads.h"

#include <algorithm>
#include <atomic>

#include "fovea/base/check.h"
#include "fovea/base/machine.h"
#include "fovea/base/thread_pool.h"

namespace fovea {
namespace {

std::atomic<int>& threads() {
  static std::atomic<int> count =
      std::min(default_threads(cpu_limits()).count, ThreadPool::most_threads);
  return count;
}

}  // namespace

int thread_count() { return threads(); }

void set_thread_count(int count) {
  FOVEA_CHECK(count >= 1 && count <= ThreadPool::most_threads, "set_thread_count: expected 1 to ",
              ThreadPool::most_threads, " threads, found ", count);
  threads() = count;
}

namespace detail {
namespace {

/// work(share, shares) for each of `shares` on as many threads; false if the pool is not to be had.
template <class F>
bool run_shares(Dim shares, F& work) {
  const auto call = [](void* object, Dim share, Dim of) { (*static_cast<F*>(object))(share, of); };
  return shares > 1 && ThreadPool::shared().run(static_cast<int>(shares), call, &work);
}

}  // namespace

void run_ranges(Dim count, Dim grain, RangeBody body) {
  const Dim shares = std::min<Dim>(thread_count(), (count + grain - 1) / grain);
  auto range = [&](Dim share, Dim of) {
    const Dim begin = count * share / of, end = count * (share + 1) / of;
    if (begin < end) body(begin, end);
  };
  if (!run_shares(shares, range)) body(0, count);
}

void run_tasks(Dim count, RangeBody body) {
  std::atomic<Dim> next = 0;
  auto tasks = [&](Dim, Dim) {
    for (Dim i = next++; i < count; i = next++) body(i, i + 1);
  };
  if (!run_shares(std::min<Dim>(thread_count(), count), tasks)) tasks(0, 1);
}

}  // namespace detail
}  // namespace fovea
