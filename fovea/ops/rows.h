/// Rows and columns picked out, put together and moved about.
#pragma once

#include "fovea/autograd/apply.h"

namespace fovea {
namespace op {

struct GatherRows {
  static constexpr std::string_view name = "gather_rows";
  Tensor ids;
  Shape shape = {};
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

struct ScatterRows {
  static constexpr std::string_view name = "scatter_rows";
  Tensor ids;
  Dim rows = 0;
  Tensor forward(const Tensor& x) const;
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

struct SliceRows {
  static constexpr std::string_view name = "slice_rows";
  Dim begin = 0, end = 0;
  Shape shape = {};
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

struct Columns {
  static constexpr std::string_view name = "columns";
  Dim begin = 0, end = 0;
  Shape shape = {};
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

/// Into three; the last may have no columns. One gradient is written by all of them.
struct SplitColumns {
  static constexpr std::string_view name = "split_columns";
  std::array<Dim, 3> cols = {};
  std::array<Tensor, 3> forward(const Tensor& x) const;
  std::array<Tensor, 1> backward(std::span<const Tensor> dy) const;
};

struct ConcatRows {
  static constexpr std::string_view name = "concat_rows";
  ArenaVector<Shape> shapes = {};
  Tensor forward(const std::vector<Tensor>& inputs);
  std::vector<Tensor> backward(const Tensor& dy) const;
};

struct ConcatColumns {
  static constexpr std::string_view name = "concat_columns";
  ArenaVector<Shape> shapes = {};
  Tensor forward(const std::vector<Tensor>& inputs);
  std::vector<Tensor> backward(const Tensor& dy) const;
};

struct Reshape {
  static constexpr std::string_view name = "reshape";
  Shape shape;
  Shape before = {};
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const { return {dy.reshape(before)}; }
};

struct Transpose {
  static constexpr std::string_view name = "transpose";
  Tensor forward(const Tensor& x) const;
  std::array<Tensor, 1> backward(const Tensor& dy) const { return {forward(dy)}; }
};

}  // namespace op

/// y_r = x[ids[r]]: ids (R) i32, which may repeat; x (N, D), y (R, D).
inline Var gather_rows(const Var& x, const Tensor& ids) { return apply(op::GatherRows{ids}, x); }

/// y (rows, D), where y_i is the sum of all x_r with ids[r] = i: x (R, D), ids (R) i32.
inline Var scatter_rows(const Var& x, const Tensor& ids, Dim rows) {
  return apply(op::ScatterRows{ids, rows}, x);
}

/// [begin, end) of the rows or of the columns.
inline Var slice_rows(const Var& x, Dim begin, Dim end) {
  return apply(op::SliceRows{begin, end}, x);
}
inline Var columns(const Var& x, Dim begin, Dim end) { return apply(op::Columns{begin, end}, x); }

/// All columns of x, the first so many, the next, and so on.
inline std::array<Var, 3> split_columns(const Var& x, Dim a, Dim b, Dim c) {
  return apply(op::SplitColumns{{a, b, c}}, x);
}
inline std::array<Var, 2> split_columns(const Var& x, Dim a, Dim b) {
  auto [first, second, nothing] = split_columns(x, a, b, 0);
  return {first, second};
}

/// One below the other, one beside the other.
inline Var concat_rows(const std::vector<Var>& inputs) { return apply(op::ConcatRows{}, inputs); }
inline Var concat_columns(const std::vector<Var>& inputs) {
  return apply(op::ConcatColumns{}, inputs);
}

/// The same numbers in another shape.
inline Var reshape(const Var& x, Shape shape) { return apply(op::Reshape{shape}, x); }

/// (N, D) -> (D, N).
inline Var transpose(const Var& x) { return apply(op::Transpose{}, x); }

}  // namespace fovea
