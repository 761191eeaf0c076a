/// Of the pairs of a set, those whose source is most like a new one: what shares the longest
/// beginning with it, and what shares the longest end. A translation memory (Bulté and Tezcan 2019,
/// "Neural fuzzy repair"); of words and their sounds, pronunciation by analogy (Dedina and Nusbaum
/// 1991).
///
///   const Neighbours neighbours(std::move(pairs));
///   if (const auto like = neighbours.by_beginning(source)) use(like->pair->target);
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fovea/tensor/sequences.h"

namespace fovea {

class Neighbours {
 public:
  struct Pair {
    Ids source, target;
  };
  struct Neighbour {
    const Pair* pair;
    std::size_t shared;  // ids of the source, from its beginning or its end
  };

  /// Of pairs with one source, the first is kept.
  explicit Neighbours(std::vector<Pair> pairs);
  // A copy would point into what it was copied from.
  Neighbours(Neighbours&&) = default;
  Neighbours& operator=(Neighbours&&) = default;

  /// Of sources that share the most, the shortest, and of those the first in order. Never the
  /// source itself; none if nothing is shared.
  std::optional<Neighbour> by_beginning(std::span<const std::int32_t> source) const;
  std::optional<Neighbour> by_end(std::span<const std::int32_t> source) const;

 private:
  /// Pairs in the order of their sources, read from one side: those that share the most with a
  /// source stand together. The last half are the pairs, and each before them is the shorter of
  /// two, so that the shortest of any stretch takes a logarithm of steps.
  using Order = std::vector<const Pair*>;

  static void put_shorter_before(Order& order);
  static std::optional<Neighbour> nearest(const Order& order, std::span<const std::int32_t> source,
                                          bool backwards);

  std::vector<Pair> pairs_;
  Order by_beginning_, by_end_;
};

}  // namespace fovea
