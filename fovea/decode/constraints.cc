#include "fovea/decode/constraints.h"

#include <algorithm>
#include <limits>

namespace fovea {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

/// Wherever the last n-1 ids stood before, what followed them there may not follow again.
void forbid_repeats(std::span<const std::int32_t> written, std::size_t n, float* logits) {
  if (written.size() < n) return;
  const auto last = written.last(n - 1);
  for (std::size_t i = 0; i + n <= written.size(); ++i) {
    const auto before = written.subspan(i, n - 1);
    if (std::equal(before.begin(), before.end(), last.begin())) logits[written[i + n - 1]] = kNever;
  }
}

}  // namespace

Constraints::Constraints(std::int32_t end, const DecodeConfig& config,
                         std::span<const std::int32_t> suppressed)
    : end_(end),
      min_length_(config.min_length),
      no_repeat_(config.no_repeat),
      suppressed_(suppressed.begin(), suppressed.end()) {}

void Constraints::apply(std::span<const std::int32_t> written, float* logits) const {
  if (no_repeat_ > 0) forbid_repeats(written, static_cast<std::size_t>(no_repeat_), logits);
  for (const std::int32_t id : suppressed_) logits[id] = kNever;
  if (end_ != no_end && static_cast<Dim>(written.size()) < min_length_) logits[end_] = kNever;
}

void Constraints::check(Dim vocabulary) const {
  FOVEA_CHECK(end_ == no_end || (end_ >= 0 && end_ < vocabulary), "decode: the end is id ", end_,
              ", the model's vocabulary has ", vocabulary);
  for (const std::int32_t id : suppressed_) {
    FOVEA_CHECK(id >= 0 && id < vocabulary, "decode: suppressed id ", id,
                ", the model's vocabulary has ", vocabulary);
  }
}

}  // namespace fovea
