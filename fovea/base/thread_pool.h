/// Threads that stand by for one region of work after another; private to threads.cc.
///
/// A region is work(share, shares), once for each share. The caller takes shares too, and leaves
/// only when all are done. It waits for threads that have begun a share, never for one that has
/// not come: what that one would have done the caller does. So beside other busy programs, where
/// a thread may not run for milliseconds, a region takes no longer than it does on one thread.
///
/// A thread without work spins for a fifth of a millisecond, longer than most gaps between two
/// loops of a training step, then sleeps. It does not yield instead: who yields stays on a core
/// that is shared, where it never comes in time, and who wakes is put onto an idle one.
///
/// Mostly: at times the system wakes a thread on the very core of the caller and leaves both there
/// for many short regions, while another core idles. A caller that sees a thread's last place to be
/// its own bars that thread from this core. It stays barred until another caller is in its way.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

class ThreadPool {
 public:
  using Work = void (*)(void* object, Dim share, Dim shares);

  static constexpr int most_threads = 1024;

  /// The pool of this process. It lives as long as the process.
  static ThreadPool& shared();

  /// False, and nothing done, where the pool is at work for another thread or the caller is itself
  /// inside a region: the caller then does all by itself. The first exception of a share is thrown.
  bool run(int shares, Work work, void* object);

 private:
  struct Worker {
    std::mutex mutex;
    std::condition_variable wake;
    std::atomic<bool> asleep = false;
    pthread_t thread = {};
    cpu_set_t cores = {};             // that it may use
    std::atomic<int> last_core = -1;  // where it last came to work

    /// From now on it works on any of its cores but this one, if there is another.
    void bar_from(int core);
  };

  /// Which region is open, for how many shares, and how many threads are inside it. One word, so
  /// that a thread enters only a region that is still open.
  struct State {
    std::uint64_t region : 32, open : 1, shares : 15, inside : 16;
  };

  void grow(int workers);
  void open(int shares);
  void close();
  void serve(int index, Worker& worker);
  /// The state once it has a region that this worker has not seen and that has a share for it.
  State await_region(Worker& worker, int index, std::uint64_t seen);
  void take_shares(int first, int shares);

  std::atomic_flag busy_;
  std::atomic<State> state_ = State{};
  std::vector<std::unique_ptr<Worker>> workers_;  // worker i prefers share i + 1
  // Of the open region:
  Work work_ = nullptr;
  void* object_ = nullptr;
  std::vector<std::atomic<bool>> taken_ = std::vector<std::atomic<bool>>(most_threads);
  std::atomic<bool> failed_ = false;
  std::exception_ptr exception_;
};

}  // namespace fovea
