/// A product with the same matrix at each step of a walk.
#pragma once

#include <optional>

#include "fovea/kernels/gemm.h"

namespace fovea::op {

/// Packs the matrix if more than one step is to come. The bits are the same either way.
template <class T>
class StepProduct {
 public:
  StepProduct(Rows<const T> b, bool transpose_b, Dim steps) : b_(b), transpose_b_(transpose_b) {
    if (steps > 1) packed_.emplace(b, transpose_b);
  }

  /// c = c + a b
  void add(Rows<const T> a, Rows<T> c) const { run(a, c, {.accumulate = true}); }
  /// c = a b + bias
  void set(Rows<const T> a, const T* bias, Rows<T> c) const { run(a, c, {.bias = bias}); }

 private:
  void run(Rows<const T> a, Rows<T> c, kernels::GemmOptions<T> options) const {
    if (packed_) {
      kernels::gemm(a, *packed_, c, options);
    } else {
      options.transpose_b = transpose_b_;
      kernels::gemm(a, b_, c, options);
    }
  }

  Rows<const T> b_;
  bool transpose_b_;
  std::optional<kernels::PackedMatrix<T>> packed_;
};

}  // namespace fovea::op
