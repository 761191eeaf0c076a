/// Memory for what a step makes and drops again: tensors and the tape.
///
/// One range of addresses is reserved and filled from the bottom. A block that is released joins
/// its free neighbours, and when the last block of a step is released the arena stands at its
/// beginning again: it rewinds itself, so nothing can dangle. The next step finds the same memory,
/// warm and mapped; in steady state nothing is asked of the system.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace fovea {

class Arena {
 public:
  /// Blocks begin on a cache line.
  static constexpr std::size_t alignment = 64;

  struct Stats {
    std::size_t in_use = 0;       // bytes in blocks that are alive
    std::size_t peak = 0;         // the most that in_use has been
    std::size_t from_system = 0;  // bytes of the reserved range that were ever touched
    std::size_t blocks = 0;       // blocks that are alive
  };

  /// Reserves addresses, not memory. The default is the machine's memory.
  explicit Arena(std::size_t reserve = 0);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// The arena that all tensors use. It lives as long as the process.
  static Arena& shared();

  /// Any thread may call these. Contents of a new block are undefined.
  void* allocate(std::size_t bytes);
  void release(void* block);

  Stats stats() const;
  void reset_peak();

 private:
  struct Block;
  static constexpr int bin_count = 256;

  static int bin_of(std::size_t size);
  Block* take_free(std::size_t size);
  Block* extend(std::size_t size);
  void split(Block* block, std::size_t size);
  void link(Block* block);
  void unlink(Block* block);
  Block* after(Block* block) const;
  Block* before(Block* block) const;

  mutable std::mutex mutex_;
  std::byte* base_ = nullptr;
  std::byte* top_ = nullptr;  // blocks fill [base_, top_)
  std::byte* end_ = nullptr;
  std::size_t last_size_ = 0;  // size of the block that ends at top_
  Block* bins_[bin_count] = {};
  Stats stats_;
};

/// For containers whose elements live as long as a step.
template <class T>
struct ArenaAllocator {
  using value_type = T;
  ArenaAllocator() = default;
  template <class U>
  ArenaAllocator(const ArenaAllocator<U>&) {}  // NOLINT: implicit, as the standard asks
  T* allocate(std::size_t count) {
    return static_cast<T*>(Arena::shared().allocate(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t) { Arena::shared().release(memory); }
  template <class U>
  bool operator==(const ArenaAllocator<U>&) const {
    return true;
  }
};

template <class T>
using ArenaVector = std::vector<T, ArenaAllocator<T>>;

}  // namespace fovea
