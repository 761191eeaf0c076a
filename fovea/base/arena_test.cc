#include "fovea/base/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "fovea/base/error_testing.h"
#include "fovea/base/rng.h"

namespace fovea {
namespace {

constexpr bool is_malloc =
#if defined(__SANITIZE_ADDRESS__)
    true;
#else
    false;
#endif

TEST(Arena, BlocksBeginOnACacheLine) {
  Arena arena(1 << 20);
  for (std::size_t bytes : {0, 1, 63, 64, 65, 1000}) {
    void* block = arena.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % Arena::alignment, 0U);
    arena.release(block);
  }
}

// Blocks of all sizes, released in random order, while their contents are watched.
TEST(Arena, KeepsContentsApartAndRewinds) {
  Arena arena(64 << 20);
  const Draws draws{.seed = 3, .site = 0};
  std::uint64_t drawn = 0;
  std::size_t touched = 0;
  for (int step = 0; step < 3; ++step) {
    struct Held {
      unsigned char* data;
      std::size_t size;
      unsigned char mark;
    };
    std::vector<Held> held;
    for (int i = 0; i < 2000; ++i) {
      if (!held.empty() && draws.below(drawn++, 3) == 0) {
        const std::size_t at = draws.below(drawn++, static_cast<std::uint32_t>(held.size()));
        const Held h = held[at];
        for (std::size_t j = 0; j < h.size; ++j) ASSERT_EQ(h.data[j], h.mark);
        arena.release(h.data);
        held[at] = held.back();
        held.pop_back();
      } else {
        const std::uint32_t limit = 1U << draws.below(drawn++, 14);
        const std::size_t size = draws.below(drawn++, limit);
        auto* data = static_cast<unsigned char*>(arena.allocate(size));
        const auto mark = static_cast<unsigned char>(i);
        std::memset(data, mark, size);
        held.push_back({data, size, mark});
      }
    }
    EXPECT_EQ(arena.stats().blocks, held.size());
    for (const Held& h : held) arena.release(h.data);
    EXPECT_EQ(arena.stats().in_use, 0U);
    EXPECT_EQ(arena.stats().blocks, 0U);
    if (step == 0) touched = arena.stats().from_system;
    drawn = 0;  // the same step again
  }
  EXPECT_EQ(arena.stats().from_system, touched) << "the same step again took more from the system";
}

TEST(Arena, StandsAtItsBeginningWhenAllIsReleased) {
  if (is_malloc) GTEST_SKIP() << "blocks are mallocs under the address sanitizer";
  Arena arena(1 << 20);
  void* a = arena.allocate(1000);
  void* b = arena.allocate(2000);
  arena.release(a);
  arena.release(b);
  EXPECT_EQ(arena.allocate(500000), a);
}

TEST(Arena, SaysWhenMemoryIsOut) {
  if (is_malloc) GTEST_SKIP() << "blocks are mallocs under the address sanitizer";
  Arena arena(1 << 20);
  EXPECT_EQ(kind_thrown_by([&] { arena.allocate(2 << 20); }), ErrorKind::too_large);
  EXPECT_EQ(kind_thrown_by([&] { arena.allocate(SIZE_MAX - 8); }), ErrorKind::too_large);
  EXPECT_NO_THROW(arena.release(arena.allocate(1000)));
}

TEST(Arena, ThreadsMayShareIt) {
  Arena arena(64 << 20);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&arena, t] {
      for (int i = 0; i < 2000; ++i) {
        const auto size = static_cast<std::size_t>(1 + i % 300);
        auto* data = static_cast<unsigned char*>(arena.allocate(size));
        std::memset(data, t, size);
        for (std::size_t j = 0; j < size; ++j) ASSERT_EQ(data[j], t);
        arena.release(data);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(arena.stats().blocks, 0U);
}

}  // namespace
}  // namespace fovea
