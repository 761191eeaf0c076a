#include "fovea/base/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "fovea/base/check.h"

// Under the address sanitizer each block is a malloc of its own, so that reads past a tensor and
// after its end are found. GCC tells by a macro, clang by a feature.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FOVEA_ARENA_IS_MALLOC 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FOVEA_ARENA_IS_MALLOC 1
#elif !defined(FOVEA_ARENA_IS_MALLOC)
#define FOVEA_ARENA_IS_MALLOC 0
#endif

namespace fovea {

/// Stands before the memory that it describes; sizes include it.
struct alignas(Arena::alignment) Arena::Block {
  std::size_t size = 0;
  std::size_t size_before = 0;  // of the neighbour below; 0 at the bottom
  bool free = false;
  Block* next = nullptr;  // in its bin, when free
  Block* previous = nullptr;
};

namespace {

std::size_t rounded(std::size_t bytes) {
  return (bytes + Arena::alignment - 1) / Arena::alignment * Arena::alignment;
}

}  // namespace

Arena::Arena(std::size_t reserve) {
  if (reserve == 0) {
    reserve = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
              static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }
  // Where the system counts reserved addresses as memory, take what it grants.
  for (; reserve >= (1U << 20); reserve /= 2) {
    void* range = mmap(nullptr, reserve, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range != MAP_FAILED) {
      madvise(range, reserve, MADV_HUGEPAGE);
      base_ = top_ = static_cast<std::byte*>(range);
      end_ = base_ + reserve;
      return;
    }
  }
  fail(ErrorKind::too_large, "arena: the system grants not even 1 MiB of addresses");
}

Arena::~Arena() { munmap(base_, static_cast<std::size_t>(end_ - base_)); }

Arena& Arena::shared() {
  static Arena* arena = new Arena;  // never destroyed: tensors may outlive every static object
  return *arena;
}

// Four bins for each power of two.
int Arena::bin_of(std::size_t size) {
  const int log = std::bit_width(size) - 1;
  return 4 * log + static_cast<int>((size >> (log - 2)) & 3);
}

Arena::Block* Arena::after(Block* block) const {
  std::byte* next = reinterpret_cast<std::byte*>(block) + block->size;
  return next == top_ ? nullptr : reinterpret_cast<Block*>(next);
}

Arena::Block* Arena::before(Block* block) const {
  if (block->size_before == 0) return nullptr;
  return reinterpret_cast<Block*>(reinterpret_cast<std::byte*>(block) - block->size_before);
}

void Arena::link(Block* block) {
  Block*& first = bins_[bin_of(block->size)];
  block->free = true;
  block->previous = nullptr;
  block->next = first;
  if (first) first->previous = block;
  first = block;
}

void Arena::unlink(Block* block) {
  if (block->previous) {
    block->previous->next = block->next;
  } else {
    bins_[bin_of(block->size)] = block->next;
  }
  if (block->next) block->next->previous = block->previous;
  block->free = false;
}

Arena::Block* Arena::take_free(std::size_t size) {
  for (int bin = bin_of(size); bin < bin_count; ++bin) {
    for (Block* block = bins_[bin]; block; block = block->next) {
      if (block->size >= size) {  // always so above the first bin
        unlink(block);
        return block;
      }
    }
  }
  return nullptr;
}

Arena::Block* Arena::extend(std::size_t size) {
  FOVEA_CHECK(size <= static_cast<std::size_t>(end_ - top_), ErrorKind::too_large,
              "out of memory: ", size, " bytes wanted, ", stats_.in_use, " of ", end_ - base_,
              " in use; use a smaller batch or model");
  auto* block = new (top_) Block{.size = size, .size_before = last_size_};
  top_ += size;
  last_size_ = size;
  stats_.from_system = std::max(stats_.from_system, static_cast<std::size_t>(top_ - base_));
  return block;
}

// Gives back what `block` has beyond `size`.
void Arena::split(Block* block, std::size_t size) {
  if (block->size < size + 2 * sizeof(Block)) return;
  auto* rest = new (reinterpret_cast<std::byte*>(block) + size)
      Block{.size = block->size - size, .size_before = size};
  if (Block* next = after(block)) {
    next->size_before = rest->size;
  } else {
    last_size_ = rest->size;
  }
  block->size = size;
  link(rest);
}

void* Arena::allocate(std::size_t bytes) {
  const std::size_t size = rounded(bytes) + sizeof(Block);
  FOVEA_CHECK(size > bytes, ErrorKind::too_large, "out of memory: ", bytes, " bytes wanted");
  std::lock_guard lock(mutex_);
  Block* block = nullptr;
  if constexpr (FOVEA_ARENA_IS_MALLOC) {
    void* memory = std::aligned_alloc(alignment, size);
    FOVEA_CHECK(memory, ErrorKind::too_large, "out of memory: ", bytes, " bytes wanted");
    block = new (memory) Block{.size = size};
  } else {
    block = take_free(size);
    if (block) {
      split(block, size);
    } else {
      block = extend(size);
    }
  }
  stats_.in_use += block->size;
  stats_.peak = std::max(stats_.peak, stats_.in_use);
  ++stats_.blocks;
  return block + 1;
}

void Arena::release(void* memory) {
  Block* block = static_cast<Block*>(memory) - 1;
  std::lock_guard lock(mutex_);
  stats_.in_use -= block->size;
  --stats_.blocks;
  if constexpr (FOVEA_ARENA_IS_MALLOC) {
    std::free(block);
    return;
  }
  if (Block* below = before(block); below && below->free) {
    unlink(below);
    below->size += block->size;
    block = below;
  }
  Block* above = after(block);
  if (above && above->free) {
    unlink(above);
    block->size += above->size;
    above = after(block);
  }
  if (above) {
    above->size_before = block->size;
    link(block);
  } else {  // the highest block: rewind over it
    top_ = reinterpret_cast<std::byte*>(block);
    last_size_ = block->size_before;
  }
}

Arena::Stats Arena::stats() const {
  std::lock_guard lock(mutex_);
  return stats_;
}

void Arena::reset_peak() {
  std::lock_guard lock(mutex_);
  stats_.peak = stats_.in_use;
}

}  // namespace fovea
