#include "fovea/models/places.h"

#include <algorithm>

#include "fovea/ops/elementwise.h"

namespace fovea {

void tell_distances(AttentionConfig& attention, Positions positions) {
  if (positions == Positions::relative) attention.distance = DistanceBias::learned;
  if (positions == Positions::rotary) attention.rope.emplace();
  if (positions == Positions::relation_aware) {
    attention.distance = DistanceBias::relation;
    attention.reach = 16;  // 4.1 of the paper
  }
}

std::optional<SinusoidLayout> sinusoids_of(Positions positions) {
  if (positions == Positions::sinusoidal) return SinusoidLayout::interleaved;
  if (positions == Positions::sinusoidal_halves) return SinusoidLayout::halves;
  return std::nullopt;
}

std::vector<Dim> drawn_begins(Dim sequences, Dim offset, Rng* rng) {
  if (offset == 0 || !rng) return {};
  std::vector<Dim> begins(static_cast<std::size_t>(sequences));
  const Draws draws = rng->next();
  for (std::size_t s = 0; s < begins.size(); ++s) {
    begins[s] = draws.below(s, static_cast<std::uint32_t>(offset + 1));
  }
  return begins;
}

Places::Places(Scope s, Positions positions, Dim longest, Dim width)
    : positions(positions), longest(longest) {
  if (positions == Positions::learned) learned.emplace(s, longest, width);
}

std::vector<Dim> Places::with_room(std::vector<Dim> begins, const Segments& segments) const {
  for (std::size_t s = 0; learned && s < begins.size(); ++s) {
    const Dim room = longest - segments.length(static_cast<Dim>(s));
    begins[s] = std::min(begins[s], std::max<Dim>(room, 0));
  }
  return begins;
}

Var Places::operator()(const Var& x, const Segments& segments, std::span<const Dim> seen) const {
  if (const auto layout = sinusoids_of(positions)) {
    return add(x, sinusoidal(positions_of(segments, seen), x.cols(), x.dtype(), *layout));
  }
  if (!learned) return x;
  for (Dim s = 0; s < segments.count(); ++s) {
    const Dim end = seen[static_cast<std::size_t>(s)] + segments.length(s);
    FOVEA_CHECK(end <= longest, ErrorKind::too_large, "a sequence of ", end,
                " rows, but positions were learned for ", longest,
                "; shorten it, or train with a larger model.longest");
  }
  return add(x, (*learned)(positions_of(segments, seen)));
}

}  // namespace fovea
