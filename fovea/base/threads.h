/// Loops on all cores, on one pool of threads (thread_pool.h): loops inside loops and of several
/// threads at once do not ask for more threads than there are.
///
/// A body must write only what its own indices own and must not add up across them: then results
/// have the same bits whatever the number of threads.
#pragma once

#include <type_traits>

#include "fovea/base/view.h"

namespace fovea {

int thread_count();
/// For this process, from now on. The default: default_threads in machine.h.
void set_thread_count(int count);

namespace detail {

/// A reference to a callable: no allocation, no ownership.
class RangeBody {
 public:
  template <class F>
  explicit RangeBody(F& f)
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_([](void* object, Dim begin, Dim end) { (*static_cast<F*>(object))(begin, end); }) {}
  void operator()(Dim begin, Dim end) const { call_(object_, begin, end); }

 private:
  void* object_;
  void (*call_)(void*, Dim, Dim);
};

void run_ranges(Dim count, Dim grain, RangeBody body);
void run_tasks(Dim count, RangeBody body);

}  // namespace detail

/// body(begin, end) on disjoint ranges that cover [0, count). A range is at least `grain` long, so
/// that small loops stay on the calling thread. For equal work per index.
template <class F>
void parallel_for(Dim count, Dim grain, F&& body) {
  if (count <= 0) return;
  detail::run_ranges(count, grain < 1 ? 1 : grain, detail::RangeBody(body));
}

/// body(index) for each index, handed out one at a time in rising order. For unequal work: put the
/// largest first. An exception from a body reaches the caller.
template <class F>
void parallel_tasks(Dim count, F&& body) {
  if (count <= 0) return;
  auto one = [&](Dim begin, Dim) { body(begin); };
  detail::run_tasks(count, detail::RangeBody(one));
}

}  // namespace fovea
