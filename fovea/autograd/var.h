/// A value that remembers how it was made, as far as a gradient needs it.
#pragma once

#include <string_view>

#include "fovea/autograd/node.h"
#include "fovea/tensor/tensor.h"

namespace fovea {

class Var {
 public:
  Var() = default;
  Var(Tensor value) : value_(std::move(value)) {}  // NOLINT: implicit; a constant
  /// A leaf that wants a gradient.
  static Var parameter(Tensor value);

  bool defined() const { return value_.defined(); }
  const Tensor& value() const { return value_; }
  const Shape& shape() const { return value_.shape(); }
  DType dtype() const { return value_.dtype(); }
  Dim rows() const { return value_.rows(); }
  Dim cols() const { return value_.cols(); }
  double item() const { return value_.item(); }

  bool needs_gradient() const { return static_cast<bool>(edge_.node); }
  /// The same value, cut off from how it was made.
  Var detach() const { return value_; }

  /// For the optimizer, which writes into its parameters, and for loaders.
  Tensor& mutable_value() { return value_; }

 private:
  friend class Tape;
  Var(Tensor value, Edge edge) : value_(std::move(value)), edge_(std::move(edge)) {}

  Tensor value_;
  Edge edge_;
};

/// While one of these lives, this thread records no tape: for inference with trained parameters.
class NoTape {
 public:
  NoTape();
  ~NoTape();
  NoTape(const NoTape&) = delete;
  NoTape& operator=(const NoTape&) = delete;

 private:
  bool before_;
};

/// Whether ops are being recorded on this thread.
bool recording();

}  // namespace fovea
