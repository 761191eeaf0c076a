/// What a model is told of where its rows stand.
///
/// Letters: N rows, W width.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "fovea/attention/multi_head.h"
#include "fovea/nn/positions.h"

namespace fovea {

enum class Positions {
  sinusoidal,         // Vaswani et al. 2017, 3.5
  learned,            // Gehring et al. 2017
  relative,           // a learned bias for each head and distance: Raffel et al. 2020
  rotary,             // Su et al. 2021
  relation_aware,     // a learned vector for each distance up to 16: Shaw et al. 2018
  sinusoidal_halves,  // sinusoidal, all sines before all cosines: Marian
};
constexpr std::array<std::string_view, 6> names_of(Positions) {
  return {"sinusoidal", "learned", "relative", "rotary", "relation-aware", "sinusoidal-halves"};
}
/// How sinusoids are laid out, if they are what is told.
std::optional<SinusoidLayout> sinusoids_of(Positions positions);

/// Positions that layers learn from distances: told to their attention.
void tell_distances(AttentionConfig& attention, Positions positions);

/// Where sequences begin: each at a place of its own up to `offset`, so that a model learns to do
/// without the beginning (Dehghani et al. 2019, 3.2). None without random numbers: all at 0.
std::vector<Dim> drawn_begins(Dim sequences, Dim offset, Rng* rng);

/// Positions that join the rows before the first layer.
struct Places {
  Positions positions;
  Dim longest;
  std::optional<LearnedPositions> learned;

  Places(Scope s, Positions positions, Dim longest, Dim width);
  /// `begins` so early that the last rows still have a place.
  std::vector<Dim> with_room(std::vector<Dim> begins, const Segments& segments) const;
  /// x (N, W) with its places; row 0 of sequence i stands at seen[i]. A sequence beyond the places
  /// that were learned is an Error.
  Var operator()(const Var& x, const Segments& segments, std::span<const Dim> seen) const;
};

}  // namespace fovea
