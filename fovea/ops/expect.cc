#include "fovea/ops/expect.h"

#include <array>

namespace fovea::op {

Shape with_cols(const Shape& shape, Dim cols) {
  std::array<Dim, Shape::max_rank> extents = {};
  const int rank = shape.rank() == 0 ? 1 : shape.rank();
  for (int i = 0; i + 1 < rank; ++i) extents[static_cast<std::size_t>(i)] = shape[i];
  extents[static_cast<std::size_t>(rank - 1)] = cols;
  return Shape(std::span(extents.data(), static_cast<std::size_t>(rank)));
}

}  // namespace fovea::op
