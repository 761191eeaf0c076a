/// A thread for work that would hold up the front: parts of large weights, sums
/// over them.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace fovea::serve {

class Background {
 public:
  explicit Background(std::size_t queue) : queue_(queue), thread_([this] { run(); }) {}
  ~Background() { finish(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// False if too much waits already. Work must not throw.
  bool submit(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      if (finishing_ || waits_.size() >= queue_) return false;
      waits_.push_back(std::move(work));
    }
    changed_.notify_one();
    return true;
  }
  /// Does what waits, then the thread ends.
  void finish() {
    {
      const std::lock_guard lock(mutex_);
      finishing_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return finishing_ || !waits_.empty(); });
      if (waits_.empty()) return;
      const std::function<void()> work = std::move(waits_.front());
      waits_.pop_front();
      lock.unlock();
      work();
    }
  }

  std::size_t queue_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waits_;
  bool finishing_ = false;
  std::thread thread_;
};

}  // namespace fovea::serve
