/// The rows of a batch in the order in which a recurrent layer walks them.
///
/// Sequences are sorted by length, longest first, and their rows stand step after step: step t is
/// one block of rows, one for each sequence that is still running, and these are always the first
/// ones. So a step is a product of matrices, and a sequence that has ended costs nothing.
#pragma once

#include "fovea/base/arena.h"
#include "fovea/tensor/segments.h"

namespace fovea {

/// Whether a recurrent layer walks each sequence from its first row or from its last.
enum class Direction { forward, reverse };

class Steps {
 public:
  Steps() = default;
  Steps(const Segments& segments, Direction direction);

  Dim rows() const { return static_cast<Dim>(row_.size()); }
  Dim sequences() const { return static_cast<Dim>(sequence_.size()); }
  Dim count() const { return static_cast<Dim>(begin_.size()) - 1; }
  /// The rows of step t are [begin(t), end(t)).
  Dim begin(Dim t) const { return begin_[static_cast<std::size_t>(t)]; }
  Dim end(Dim t) const { return begin(t + 1); }
  Dim active(Dim t) const { return end(t) - begin(t); }

  /// From the order of the batch to the order of steps, and back. A batch that already stands so
  /// (one sequence, or rows that are sequences) is not copied.
  Tensor to_steps(const Tensor& rows) const;
  Tensor to_batch(const Tensor& rows) const;

  /// The same for what has one row a sequence: from the batch's order to longest first, and back.
  Tensor to_sorted(const Tensor& states) const;
  Tensor from_sorted(const Tensor& states) const;

  /// The state after the last step of each sequence (in the batch's order), given the state after
  /// each step (in the order of steps) and the one before all steps (sorted).
  Tensor last(const Tensor& states, const Tensor& initial) const;
  /// Adds the gradient of `last` to `states`, and gives that of `initial`: zero but for sequences
  /// without rows.
  Tensor last_backward(const Tensor& gradient, Tensor& states) const;

  /// The state before each step, given those after each step and before all steps (sorted).
  Tensor before(const Tensor& states, const Tensor& initial) const;

 private:
  ArenaVector<Dim> row_;       // place in the order of steps -> row of the batch
  ArenaVector<Dim> sequence_;  // place when sorted -> sequence of the batch
  ArenaVector<Dim> last_;      // place when sorted -> place of its last step; -1: it has no rows
  ArenaVector<Dim> begin_ = {0};
  bool rows_in_order_ = true, sequences_in_order_ = true;
};

}  // namespace fovea
