#include "fovea/base/rng.h"

#include <cmath>
#include <numbers>

namespace fovea {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = static_cast<std::uint64_t>(c[0]) * 0xD2511F53U;
    const std::uint64_t b = static_cast<std::uint64_t>(c[2]) * 0xCD9E8D57U;
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return c;
}

std::array<std::uint32_t, 4> Draws::block(std::uint64_t index) const {
  return philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                 static_cast<std::uint32_t>(site), static_cast<std::uint32_t>(site >> 32)},
                {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

float Draws::normal(std::uint64_t index) const {
  const auto b = block(index / 2);  // two numbers from the four words of a block
  const std::size_t half = 2 * (index % 2);
  const double u = (static_cast<double>(b[half]) + 0.5) * 0x1p-32;
  const double v = static_cast<double>(b[half + 1]) * 0x1p-32;
  return static_cast<float>(std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v));
}

}  // namespace fovea
