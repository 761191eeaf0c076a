/// Held-out parts of data that comes without any.
#pragma once

#include <array>
#include <string_view>

namespace fovea {

enum class Part { train, dev, test };
constexpr std::array<std::string_view, 3> names_of(Part) { return {"train", "dev", "test"}; }

struct SplitConfig {
  double dev = 0;  // the share of keys that is held out to choose by
  double test = 0;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("dev", dev);
    visit("test", test);
  }
};

/// The part of an example, told from its key (the source sentence, the word) and nothing else:
/// equal keys never stand in two parts, further lines move none, and changing `dev` moves nothing
/// into or out of `test`. The key's hash is FNV-1a of 64 bits, mixed by the finaliser of
/// MurmurHash3.
Part part_of(std::string_view key, const SplitConfig& config);

/// That hash as a number in [0, 1): for other choices that a key alone should tell.
double hash_place(std::string_view key);

}  // namespace fovea
