/// A long text of ids cut into stretches, each of which a model reads at once: what language models
/// learn from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

/// Ids [begin, begin + length) of a text are read, and after each the next one is predicted; but
/// after the first `known` of them only so that what follows has something before it.
struct Stretch {
  Dim begin = 0, length = 0, known = 0;

  bool operator==(const Stretch&) const = default;
};

struct StretchConfig {
  Dim context = 64;    // ids that are read at once
  Dim sequences = 12;  // stretches of a batch
  std::uint64_t seed = 1;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("context", context);
    visit("sequences", sequences);
    visit("seed", seed);
  }
};

/// An Error that names the key, if it cannot make batches.
void check(const StretchConfig& config);

/// Batches of stretches. They depend on the length of the text, the config and the epoch and on
/// nothing else. Texts have at least two ids, or there is nothing to predict.
class Stretches {
 public:
  /// Side by side, in random order. Where the first begins is drawn too, so that in other epochs
  /// the text is cut elsewhere.
  static Stretches shuffled(Dim ids, const StretchConfig& config, Dim epoch);
  /// The text as so many streams of equal length, read at the same time: stretch i of a batch goes
  /// on where stretch i of the one before ended, so that a recurrent model can keep its state.
  /// Zaremba et al. 2014, 4.1. Where the first begins is drawn.
  static Stretches streams(Dim ids, const StretchConfig& config, Dim epoch);
  /// The same of the whole text, in at most so many streams.
  static Stretches streams(Dim ids, Dim count, Dim context);
  /// The whole text in order: each stretch begins `stride` after the one before and predicts what
  /// that one has not.
  static Stretches sliding(Dim ids, Dim context, Dim stride, Dim sequences);

  Dim size() const { return static_cast<Dim>(batches_.size()); }
  std::span<const Stretch> operator[](Dim batch) const {
    return batches_[static_cast<std::size_t>(batch)];
  }

 private:
  void add_streams(Dim first, Dim predicted, Dim count, Dim context);

  std::vector<std::vector<Stretch>> batches_;
};

}  // namespace fovea
