#include "fovea/base/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

namespace fovea {
namespace {

thread_local bool in_region = false;

/// Called again and again by one who waits: returns soon, and says when it has been long.
class Spin {
 public:
  /// True after as long as two loops of a training step are usually apart.
  bool is_long() {
    relax();
    if (++calls_ % kCallsPerLook == 0) long_ = long_ || Clock::now() - begin_ > kLong;
    return long_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kCallsPerLook = 32;
  static constexpr auto kLong = std::chrono::microseconds(200);

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  Clock::time_point begin_ = Clock::now();
  bool long_ = false;
  int calls_ = 0;
};

}  // namespace

ThreadPool& ThreadPool::shared() {
  static ThreadPool& pool = *new ThreadPool;  // its threads never end, so neither does it
  return pool;
}

void ThreadPool::Worker::bar_from(int core) {
  cpu_set_t others = cores;
  CPU_CLR(core, &others);
  if (CPU_COUNT(&others) > 0) ::pthread_setaffinity_np(thread, sizeof others, &others);
}

bool ThreadPool::run(int shares, Work work, void* object) {
  if (in_region || busy_.test_and_set(std::memory_order_acquire)) return false;
  grow(shares - 1);
  work_ = work;
  object_ = object;
  for (int i = 0; i < shares; ++i) taken_[i].store(false, std::memory_order_relaxed);
  open(shares);
  take_shares(0, shares);
  close();
  const std::exception_ptr exception = std::exchange(exception_, nullptr);
  failed_ = false;
  busy_.clear(std::memory_order_release);
  if (exception) std::rethrow_exception(exception);
  return true;
}

void ThreadPool::grow(int workers) {
  while (static_cast<int>(workers_.size()) < workers) {
    auto worker = std::make_unique<Worker>();
    const int index = static_cast<int>(workers_.size()) + 1;
    try {
      std::thread thread([this, index, &own = *worker] { serve(index, own); });
      worker->thread = thread.native_handle();
      ::pthread_getaffinity_np(worker->thread, sizeof worker->cores, &worker->cores);
      thread.detach();
    } catch (const std::system_error&) {
      return;  // the system has no more threads to give: those that are there do it
    }
    workers_.push_back(std::move(worker));
  }
}

void ThreadPool::open(int shares) {
  State state = state_.load();
  ++state.region;
  state.open = 1;
  state.shares = static_cast<std::uint64_t>(shares);
  state_.store(state);
  const int core = ::sched_getcpu();
  for (int i = 0; i < std::min(shares - 1, static_cast<int>(workers_.size())); ++i) {
    Worker& worker = *workers_[i];
    if (worker.last_core.load(std::memory_order_relaxed) == core) {
      worker.bar_from(core);
      worker.last_core.store(-1, std::memory_order_relaxed);  // nothing new until it has run again
    }
    if (!worker.asleep.load()) continue;  // it looks at the state once more before it sleeps
    const std::lock_guard lock(worker.mutex);
    worker.wake.notify_one();
  }
}

void ThreadPool::close() {
  State state = state_.load(), closed;
  do {
    closed = state;
    closed.open = 0;
  } while (!state_.compare_exchange_weak(state, closed));
  for (Spin spin; state_.load().inside > 0;) {
    if (spin.is_long()) std::this_thread::yield();  // to who is inside, maybe on the same core
  }
}

void ThreadPool::take_shares(int first, int shares) {
  in_region = true;
  for (int n = 0; n < shares; ++n) {
    const int share = (first + n) % shares;
    if (taken_[share].exchange(true, std::memory_order_relaxed)) continue;
    try {
      work_(object_, share, shares);
    } catch (...) {
      if (!failed_.exchange(true)) exception_ = std::current_exception();
    }
  }
  in_region = false;
}

ThreadPool::State ThreadPool::await_region(Worker& worker, int index, std::uint64_t seen) {
  State state;
  const auto has_work = [&] {
    state = state_.load();
    return state.open && state.region != seen && index < static_cast<int>(state.shares);
  };
  for (Spin spin; !has_work();) {
    if (!spin.is_long()) continue;
    std::unique_lock lock(worker.mutex);
    worker.asleep = true;
    worker.wake.wait(lock, has_work);
    worker.asleep = false;
    break;
  }
  return state;
}

void ThreadPool::serve(int index, Worker& worker) {
  for (std::uint64_t seen = 0;;) {
    State state = await_region(worker, index, seen), entered = state;
    ++entered.inside;
    worker.last_core.store(::sched_getcpu(), std::memory_order_relaxed);
    if (!state_.compare_exchange_strong(state, entered)) continue;
    seen = state.region;
    take_shares(index, static_cast<int>(state.shares));
    State left;
    do {
      left = state = state_.load();
      --left.inside;
    } while (!state_.compare_exchange_weak(state, left));
  }
}

}  // namespace fovea
