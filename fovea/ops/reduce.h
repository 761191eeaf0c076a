/// Sums, means and largest numbers.
#pragma once

#include "fovea/autograd/apply.h"

namespace fovea {
namespace op {

/// y = factor (sum of all elements).
struct Sum {
  static constexpr std::string_view name = "sum";
  double factor = 1;
  Shape shape = {};
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

struct RowSums {
  static constexpr std::string_view name = "row_sums";
  Shape shape = {};
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

/// The gradient goes to the first of the largest.
struct RowMax {
  static constexpr std::string_view name = "row_max";
  Shape shape = {};
  Tensor where = {};  // (N) i32
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

}  // namespace op

/// Of all elements: a single number.
inline Var sum(const Var& x) { return apply(op::Sum{}, x); }
/// 0 if there are none.
Var mean(const Var& x);

/// (N, D) -> (N).
inline Var row_sums(const Var& x) { return apply(op::RowSums{}, x); }
inline Var row_max(const Var& x) { return apply(op::RowMax{}, x); }

/// The column of the largest number of each row, the first of equals: (N) i32. No gradient.
Tensor argmax(const Tensor& x);

}  // namespace fovea
