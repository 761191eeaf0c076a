#include "fovea/base/threads.h"

#include <omp.h>

#include <algorithm>
#include <atomic>

#include "fovea/base/check.h"

#if defined(__SANITIZE_THREAD__)
// libgomp is not instrumented, so the thread sanitizer does not see that a parallel region begins
// after what came before it and ends before what follows. These tell it.
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#define FOVEA_HANDS_OVER(tag) __tsan_release(tag)
#define FOVEA_TAKES_OVER(tag) __tsan_acquire(tag)
#else
#define FOVEA_HANDS_OVER(tag) (void)(tag)
#define FOVEA_TAKES_OVER(tag) (void)(tag)
#endif

namespace fovea {

int thread_count() { return omp_get_max_threads(); }

void set_thread_count(int count) {
  FOVEA_CHECK(count >= 1, "set_thread_count: expected at least 1 thread, found ", count);
  omp_set_num_threads(count);
}

namespace detail {
namespace {

/// The first exception of a parallel region: OpenMP lets none out.
class FirstException {
 public:
  template <class F>
  void guard(F&& f) {
    try {
      f();
    } catch (...) {
      if (!taken_.exchange(true)) exception_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<bool> taken_ = false;
  std::exception_ptr exception_;
};

class Region;
void fork(Region& region, int workers);

/// One parallel region: work(worker, team) once on each thread of a team.
class Region {
 public:
  explicit Region(const RangeBody& work) : work_(work) {}

  void run(Dim workers) {
    FOVEA_HANDS_OVER(&before_);
    fork(*this, static_cast<int>(workers));
    FOVEA_TAKES_OVER(&after_);
    first_.rethrow();
  }
  void one(Dim worker, Dim team) {
    FOVEA_TAKES_OVER(&before_);
    first_.guard([&] { work_(worker, team); });
    FOVEA_HANDS_OVER(&after_);
  }

 private:
  RangeBody work_;
  FirstException first_;
  char before_ = 0, after_ = 0;
};

// Apart, and unseen by the thread sanitizer: what the compiler itself hands to the threads is
// written after the last line of ours and read before the first.
[[gnu::no_sanitize_thread]] void fork(Region& region, int workers) {
#pragma omp parallel num_threads(workers)
  region.one(omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace

void run_ranges(Dim count, Dim grain, RangeBody body) {
  const Dim workers = std::min<Dim>(thread_count(), (count + grain - 1) / grain);
  if (workers <= 1 || omp_in_parallel()) {
    body(0, count);
    return;
  }
  auto share = [&](Dim worker, Dim team) {
    const Dim begin = count * worker / team, end = count * (worker + 1) / team;
    if (begin < end) body(begin, end);
  };
  Region(RangeBody(share)).run(workers);
}

void run_tasks(Dim count, RangeBody body) {
  const Dim workers = std::min<Dim>(thread_count(), count);
  if (workers <= 1 || omp_in_parallel()) {
    for (Dim i = 0; i < count; ++i) body(i, i + 1);
    return;
  }
  std::atomic<Dim> next = 0;
  auto share = [&](Dim, Dim) {
    for (Dim i = next++; i < count; i = next++) body(i, i + 1);
  };
  Region(RangeBody(share)).run(workers);
}

}  // namespace detail
}  // namespace fovea
