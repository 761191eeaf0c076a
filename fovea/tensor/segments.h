/// Where each sequence of a batch begins. A batch is a matrix of rows, sequence after sequence,
/// with no padding anywhere; attention, recurrence, pooling and convolution walk its segments.
#pragma once

#include <span>

#include "fovea/tensor/tensor.h"

namespace fovea {

/// Rows [begin(i), end(i)) are sequence i. Immutable; copying copies a handle.
class Segments {
 public:
  Segments() : Segments(uniform(0, 0)) {}
  static Segments of_lengths(std::span<const Dim> lengths);
  static Segments of_lengths(std::initializer_list<Dim> lengths) {
    return of_lengths(std::span(lengths.begin(), lengths.size()));
  }
  static Segments uniform(Dim count, Dim length);
  /// count + 1 numbers that begin with 0 and never fall.
  static Segments of_offsets(std::span<const Dim> offsets);

  Dim count() const { return offsets_.size() - 1; }
  Dim rows() const { return offsets()[static_cast<std::size_t>(count())]; }
  Dim begin(Dim i) const { return offsets()[static_cast<std::size_t>(i)]; }
  Dim end(Dim i) const { return begin(i + 1); }
  Dim length(Dim i) const { return end(i) - begin(i); }
  Dim longest() const;
  std::span<const Dim> offsets() const { return offsets_.span<Dim>(); }

  bool operator==(const Segments& other) const { return identical(offsets_, other.offsets_); }

 private:
  explicit Segments(Tensor offsets);
  Tensor offsets_;  // (count + 1), i64
};

}  // namespace fovea
