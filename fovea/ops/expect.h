/// What ops ask of their inputs. Each check names the op, what was expected and what was found.
#pragma once

#include <string_view>

#include "fovea/tensor/tensor.h"

namespace fovea::op {

/// `found` has the shape and the type of `like`.
inline void expect_like(std::string_view op, std::string_view what, const Tensor& found,
                        const Tensor& like) {
  FOVEA_CHECK(found.shape() == like.shape() && found.dtype() == like.dtype(), op, ": expected ",
              what, " of shape ", like.shape(), " ", like.dtype(), ", found ", found.shape(), " ",
              found.dtype());
}

/// `found` is a vector of `size` numbers of the type of `like`.
inline void expect_vector(std::string_view op, std::string_view what, const Tensor& found, Dim size,
                          DType dtype) {
  FOVEA_CHECK(found.shape() == Shape({size}) && found.dtype() == dtype, op, ": expected ", what,
              " of shape ", Shape({size}), " ", dtype, ", found ", found.shape(), " ",
              found.dtype());
}

/// `found` is a matrix of that many columns and of the type of `like`.
inline void expect_cols(std::string_view op, std::string_view what, const Tensor& found, Dim cols,
                        DType dtype) {
  FOVEA_CHECK(found.shape().rank() >= 1 && found.cols() == cols && found.dtype() == dtype, op,
              ": expected ", what, " with ", cols, " columns of ", dtype, ", found ", found.shape(),
              " ", found.dtype());
}

/// The same rows, with another number of columns.
Shape with_cols(const Shape& shape, Dim cols);

/// Null if the tensor is not defined: for inputs that may be left out.
template <class T>
const T* data_or_null(const Tensor& t) {
  return t.defined() ? t.data<T>() : nullptr;
}

}  // namespace fovea::op
