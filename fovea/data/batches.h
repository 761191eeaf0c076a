/// Which examples make a batch. A batch costs what its rows cost, so it is limited by rows, and
/// examples of like length go together, so that a step of decoding serves as many as possible.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

struct BatchConfig {
  Dim rows = 4096;    // at most; an example with more is a batch of its own
  Dim sequences = 0;  // at most; 0 is no limit
  Dim pool = 64;      // batches whose examples are sorted by length together
  std::uint64_t seed = 1;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("rows", rows);
    visit("sequences", sequences);
    visit("pool", pool);
    visit("seed", seed);
  }
};

/// An Error that names the key, if it cannot make batches.
void check(const BatchConfig& config);

/// The batches of one epoch: each example in exactly one of them. They depend on the lengths, the
/// config and the epoch and on nothing else, so a run that is resumed needs to know only how many
/// batches it has seen.
///
/// All examples are shuffled, taken in pools, each pool is sorted by length and cut into batches,
/// and the batches are shuffled: the noise of random batches at nearly the cost of sorted ones.
class Batches {
 public:
  Batches(std::span<const std::int32_t> rows_of_example, const BatchConfig& config, Dim epoch);
  /// All examples from the shortest to the longest, for validation and decoding.
  static Batches unshuffled(std::span<const std::int32_t> rows_of_example,
                            const BatchConfig& config);

  Dim size() const { return static_cast<Dim>(batches_.size()); }
  /// Numbers of examples.
  std::span<const std::uint32_t> operator[](Dim batch) const {
    const auto [begin, end] = batches_[static_cast<std::size_t>(batch)];
    return std::span(order_).subspan(begin, end - begin);
  }

 private:
  struct Range {
    std::uint32_t begin, end;
  };
  explicit Batches(std::span<const std::int32_t> rows_of_example);
  void sort_and_cut(Range pool, std::span<const std::int32_t> rows, const BatchConfig& config);

  std::vector<std::uint32_t> order_;
  std::vector<Range> batches_;
};

}  // namespace fovea
