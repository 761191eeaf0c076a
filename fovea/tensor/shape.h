/// The extents of a tensor, outermost first.
#pragma once

#include <array>
#include <initializer_list>
#include <iosfwd>
#include <span>

#include "fovea/base/view.h"

namespace fovea {

class Shape {
 public:
  static constexpr int max_rank = 5;

  Shape() = default;  // no extents: a single number
  Shape(std::initializer_list<Dim> extents) : Shape(std::span(extents.begin(), extents.size())) {}
  explicit Shape(std::span<const Dim> extents);

  int rank() const { return rank_; }
  /// The number of elements.
  Dim size() const;
  /// Extent i; negative i counts from the end.
  Dim operator[](int i) const;

  /// As a matrix: the last extent is the columns, all others together are the rows.
  Dim cols() const { return rank_ == 0 ? 1 : extents_[rank_ - 1]; }
  Dim rows() const;

  bool operator==(const Shape& other) const;

 private:
  std::array<Dim, max_rank> extents_ = {};
  int rank_ = 0;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape);  // (3, 4)

}  // namespace fovea
