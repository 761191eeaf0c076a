/// Random numbers from a counter: what is drawn depends only on (seed, site, index), so it can be
/// drawn again instead of stored, in any order and on any number of threads.
#pragma once

#include <array>
#include <cstdint>

namespace fovea {

/// Philox4x32-10 of Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

/// An endless row of numbers that can be read at any index, as often as one likes.
struct Draws {
  std::uint64_t seed = 0;
  std::uint64_t site = 0;  // which use of randomness this is: each dropout of each step has its own

  /// 128 random bits, the `index`-th of this row.
  std::array<std::uint32_t, 4> block(std::uint64_t index) const;
  std::uint32_t bits(std::uint64_t index) const { return block(index / 4)[index % 4]; }
  /// In [0, 1), with 24 bits.
  float uniform(std::uint64_t index) const {
    return static_cast<float>(bits(index) >> 8) * 0x1p-24F;
  }
  /// Mean 0, variance 1 (Box and Muller).
  float normal(std::uint64_t index) const;
  /// In [0, n), without bias to speak of (n well below 2^32).
  std::uint32_t below(std::uint64_t index, std::uint32_t n) const {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(bits(index)) * n) >> 32);
  }
};

/// Hands out rows of numbers. Its whole state is two integers: save them, and a run that is resumed
/// draws what it would have drawn.
struct Rng {
  std::uint64_t seed = 0;
  std::uint64_t next_site = 0;

  Draws next() { return {seed, next_site++}; }
};

}  // namespace fovea
