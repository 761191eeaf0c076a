/// Pooling over windows of sequences and of images.
#pragma once

#include "fovea/autograd/apply.h"
#include "fovea/ops/windows.h"

namespace fovea {
namespace op {

struct MaxPool {
  static constexpr std::string_view name = "max pool";
  Windows windows;
  Tensor where = {};  // (M, C) i32: the row that was the largest, -1 if there was none
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

struct AveragePool {
  static constexpr std::string_view name = "average pool";
  Windows windows;
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

}  // namespace op

/// The largest number of each column under each place of the window, the first of equals; NaN
/// counts as the largest. Nothing under it gives zero.
inline Var max_pool1d(const Var& x, const Segments& segments, const Window& window) {
  return apply(op::MaxPool{.windows = Windows(segments, window)}, x);
}
inline Var max_pool2d(const Var& x, const ImageShape& images, const Window2d& window) {
  return apply(op::MaxPool{.windows = Windows(images, window)}, x);
}

/// The mean of the rows under each place of the window. What lies beyond the edge is not counted;
/// nothing under the window gives zero.
inline Var average_pool1d(const Var& x, const Segments& segments, const Window& window) {
  return apply(op::AveragePool{.windows = Windows(segments, window)}, x);
}
inline Var average_pool2d(const Var& x, const ImageShape& images, const Window2d& window) {
  return apply(op::AveragePool{.windows = Windows(images, window)}, x);
}

}  // namespace fovea
