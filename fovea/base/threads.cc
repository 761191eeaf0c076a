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

}  // namespace

void run_ranges(Dim count, Dim grain, RangeBody body) {
  const Dim workers = std::min<Dim>(thread_count(), (count + grain - 1) / grain);
  if (workers <= 1 || omp_in_parallel()) {
    body(0, count);
    return;
  }
  FirstException first;
  char before = 0, after = 0;
  FOVEA_HANDS_OVER(&before);
#pragma omp parallel num_threads(static_cast <int>(workers))
  {
    FOVEA_TAKES_OVER(&before);
    const Dim worker = omp_get_thread_num(), team = omp_get_num_threads();
    const Dim begin = count * worker / team, end = count * (worker + 1) / team;
    if (begin < end) first.guard([&] { body(begin, end); });
    FOVEA_HANDS_OVER(&after);
  }
  FOVEA_TAKES_OVER(&after);
  first.rethrow();
}

void run_tasks(Dim count, RangeBody body) {
  const Dim workers = std::min<Dim>(thread_count(), count);
  if (workers <= 1 || omp_in_parallel()) {
    for (Dim i = 0; i < count; ++i) body(i, i + 1);
    return;
  }
  FirstException first;
  std::atomic<Dim> next = 0;
  char before = 0, after = 0;
  FOVEA_HANDS_OVER(&before);
#pragma omp parallel num_threads(static_cast <int>(workers))
  {
    FOVEA_TAKES_OVER(&before);
    for (Dim i = next++; i < count; i = next++) first.guard([&] { body(i, i + 1); });
    FOVEA_HANDS_OVER(&after);
  }
  FOVEA_TAKES_OVER(&after);
  first.rethrow();
}

}  // namespace detail
}  // namespace fovea
