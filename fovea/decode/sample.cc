#include <algorithm>

#include "fovea/base/rng.h"
#include "fovea/decode/walk.h"
#include "fovea/kernels/reduce.h"
#include "fovea/kernels/softmax.h"
#include "fovea/kernels/top.h"

namespace fovea {
namespace {

/// softmax(x / temperature). `top` is the largest x.
std::vector<float> probabilities(std::span<const float> x, float top, double temperature) {
  const auto t = static_cast<float>(std::clamp(temperature, 1e-30, 1e30));
  std::vector<float> p(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) p[i] = (x[i] - top) / t;
  const Dim count = static_cast<Dim>(p.size());
  kernels::softmax(rows_of<const float>(p.data(), 1, count), rows_of(p.data(), 1, count));
  return p;
}

/// The `count` ids of largest p, in falling order, equal ones in their own.
std::vector<std::int32_t> likeliest(std::span<const float> p, std::size_t count) {
  std::vector<float> values(count);
  std::vector<std::int32_t> ids(count);
  kernels::top(p.data(), std::ssize(p), static_cast<Dim>(count), values.data(), ids.data());
  return ids;
}

/// The ids of p >= floor, in the same order.
std::vector<std::int32_t> above(std::span<const float> p, double floor) {
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] >= floor) ids.push_back(static_cast<std::int32_t>(i));
  }
  std::stable_sort(ids.begin(), ids.end(), [p](std::int32_t a, std::int32_t b) {
    return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)];
  });
  return ids;
}

/// The ids of the top_k largest p that are needed to hold top_p of them all and are at least min_p
/// of the largest, the largest first. Nucleus sampling: Holtzman et al. 2020, 3.1; min-p: Nguyen et
/// al. 2024, "Turning up the heat", 3.
std::vector<std::int32_t> nucleus(std::span<const float> p, const DecodeConfig& config) {
  const Dim top_k = config.top_k;
  const double top_p = config.top_p;
  constexpr std::size_t kFew = 256;  // where one pass is faster than sorting
  const std::size_t most =
      top_k == 0 ? p.size() : std::min(p.size(), static_cast<std::size_t>(top_k));
  const double least =
      config.min_p == 0 ? 0
                        : config.min_p * static_cast<double>(*std::max_element(p.begin(), p.end()));
  // What is below (1 - top_p) / V holds less than 1 - top_p in all: the nucleus needs none of it.
  const double floor = std::max(least, (1 - top_p) / static_cast<double>(p.size()));
  auto ids = most <= kFew ? likeliest(p, most) : above(p, floor);
  double held = 0;
  std::size_t kept = 0;
  for (; kept < std::min(most, ids.size()) && held < top_p; ++kept) {
    const auto next = static_cast<double>(p[static_cast<std::size_t>(ids[kept])]);
    if (next == 0 || next < least) break;
    held += next;
  }
  ids.resize(kept);
  return ids;
}

/// The first index at which the running sum of p exceeds `uniform` of the whole sum. Whole blocks
/// are passed over at once.
std::size_t draw(std::span<const float> p, double uniform) {
  constexpr std::size_t kBlock = 128;
  const auto sum = [p](std::size_t begin, std::size_t count) {
    return kernels::sum(p.data() + begin, static_cast<Dim>(count));
  };
  double rest = uniform * sum(0, p.size());
  std::size_t i = 0;
  for (; i + kBlock < p.size(); i += kBlock) {
    const double block = sum(i, kBlock);
    if (rest < block) break;
    rest -= block;
  }
  for (; i < p.size(); ++i) {
    rest -= static_cast<double>(p[i]);
    if (rest < 0 && p[i] > 0) return i;
  }
  while (p[i - 1] <= 0) --i;  // rounding left a rest: the last that can be drawn
  return i - 1;
}

/// An id by its probability p, out of those that the config lets in.
std::int32_t draw(std::span<const float> p, const DecodeConfig& config, double uniform) {
  const bool all = config.top_k == 0 && config.top_p >= 1 && config.min_p == 0;
  if (all) return static_cast<std::int32_t>(draw(p, uniform));
  const std::vector<std::int32_t> ids = nucleus(p, config);
  std::vector<float> kept;
  for (const std::int32_t id : ids) kept.push_back(p[static_cast<std::size_t>(id)]);
  return ids[draw(kept, uniform)];
}

/// In [0, 1), with 53 bits: rare tokens have fewer than 2^-24.
double uniform(const Draws& draws, std::uint64_t index) {
  const auto bits = draws.block(index);
  const std::uint64_t joined = (static_cast<std::uint64_t>(bits[0]) << 32) | bits[1];
  return static_cast<double>(joined >> 11) * 0x1p-53;
}

}  // namespace

std::unique_ptr<Searching> sample_search(DecodeJob job, Constraints constraints) {
  const Draws draws{.seed = static_cast<std::uint64_t>(job.config.seed),
                    .site = static_cast<std::uint64_t>(job.request.number)};
  Pick pick = [config = job.config, draws](const Open& open, Dim sample,
                                           std::span<const float> logits) {
    const std::int32_t top = likeliest(logits);
    if (top < 0) return top;
    const auto p = probabilities(logits, logits[static_cast<std::size_t>(top)], config.temperature);
    const std::uint64_t index = (static_cast<std::uint64_t>(sample) << 32) + open.text.ids.size();
    return draw(p, config, uniform(draws, index));
  };
  const Dim samples = job.config.n_best;
  return walk(std::move(job), std::move(constraints), samples, std::move(pick));
}

}  // namespace fovea
