/// Numbers mixed so that those of like things are nothing alike.
#pragma once

#include <cstdint>

namespace fovea {

/// The finaliser of MurmurHash3 (Appleby 2011).
constexpr std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ h >> 33) * 0xff51afd7ed558ccdULL;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ h >> 33;
}

/// The hash of a run of ids that goes on with `id`; -1 stands for none.
constexpr std::uint64_t hashed(std::uint64_t run, std::int64_t id) {
  return mixed(run ^ static_cast<std::uint64_t>(id));
}

}  // namespace fovea
