#include "fovea/tensor/shape.h"

#include <algorithm>
#include <ostream>

#include "fovea/base/check.h"

namespace fovea {

Shape::Shape(std::span<const Dim> extents) : rank_(static_cast<int>(extents.size())) {
  FOVEA_CHECK(extents.size() <= max_rank, "shape: at most ", max_rank, " extents, found ",
              extents.size());
  std::copy(extents.begin(), extents.end(), extents_.begin());
  Dim size = 1;
  for (Dim extent : extents) {
    FOVEA_CHECK(extent >= 0, "shape: a negative extent in ", *this);
    FOVEA_CHECK(!__builtin_mul_overflow(size, extent, &size), ErrorKind::too_large,
                "shape: too many elements in ", *this);
  }
}

Dim Shape::size() const {
  Dim size = 1;
  for (int i = 0; i < rank_; ++i) size *= extents_[i];
  return size;
}

Dim Shape::rows() const {
  Dim rows = 1;
  for (int i = 0; i + 1 < rank_; ++i) rows *= extents_[i];
  return rows;
}

Dim Shape::operator[](int i) const {
  const int at = i < 0 ? i + rank_ : i;
  FOVEA_CHECK(at >= 0 && at < rank_, "shape: no extent ", i, " in ", *this);
  return extents_[at];
}

bool Shape::operator==(const Shape& other) const {
  return rank_ == other.rank_ &&
         std::equal(extents_.begin(), extents_.begin() + rank_, other.extents_.begin());
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  out << '(';
  for (int i = 0; i < shape.rank(); ++i) out << (i ? ", " : "") << shape[i];
  return out << ')';
}

}  // namespace fovea
