#include "fovea/data/split.h"

#include "fovea/base/check.h"
#include "fovea/base/hash.h"

namespace fovea {
namespace {

/// FNV-1a, mixed.
std::uint64_t hash(std::string_view key) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const char c : key) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return mixed(h);
}

}  // namespace

double hash_place(std::string_view key) { return static_cast<double>(hash(key) >> 11) * 0x1p-53; }

Part part_of(std::string_view key, const SplitConfig& config) {
  FOVEA_CHECK(config.dev >= 0 && config.test >= 0 && config.dev + config.test <= 1,
              ErrorKind::bad_setting, "split: dev = ", config.dev, " and test = ", config.test,
              " are shares of the whole: from 0 on, and together at most 1");
  const double place = hash_place(key);
  if (place < config.test) return Part::test;
  if (place >= 1 - config.dev) return Part::dev;
  return Part::train;
}

}  // namespace fovea
