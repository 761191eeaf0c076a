#include "fovea/ops/rows.h"

#include <algorithm>
#include <cstring>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/indexed_rows.h"
#include "fovea/ops/embedding.h"
#include "fovea/ops/expect.h"

namespace fovea::op {
namespace {

Tensor gathered(std::string_view op, const Tensor& x, const Tensor& ids) {
  Tensor y = Tensor::empty({ids.size(), x.cols()}, x.dtype());
  with_real(op, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::gather_rows(x.view<T>(), ids.data<std::int32_t>(), y.mutable_view<T>());
  });
  return y;
}

Tensor scattered(std::string_view op, const Tensor& x, const Tensor& ids, Shape shape) {
  Tensor y = Tensor::zeros(shape, x.dtype());
  with_real(op, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::scatter_add_rows(x.view<T>(), ids.data<std::int32_t>(), y.mutable_view<T>());
  });
  return y;
}

template <class T>
void copy_rows(Rows<const T> from, Rows<T> to) {
  parallel_for(from.rows, kernels::row_grain(from.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) std::copy_n(from[r], from.cols, to[r]);
  });
}

// Columns [begin, begin + cols) of x.
Tensor cut(std::string_view op, const Tensor& x, Dim begin, Dim cols) {
  Tensor y = Tensor::empty(with_cols(x.shape(), cols), x.dtype());
  with_real(op, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    copy_rows<T>(x.view<T>().columns(begin, begin + cols), y.mutable_view<T>());
  });
  return y;
}

// Writes x over the columns of y that begin at `begin`.
void paste(std::string_view op, const Tensor& x, Tensor& y, Dim begin) {
  with_real(op, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    copy_rows<T>(x.view<T>(), y.mutable_view<T>().columns(begin, begin + x.cols()));
  });
}

// The first input, after checking that there is one.
const Tensor& first_of(std::string_view op, const std::vector<Tensor>& inputs) {
  FOVEA_CHECK(!inputs.empty(), op, ": expected at least one input");
  FOVEA_CHECK(inputs[0].shape().rank() >= 1, op, ": expected rows, found a single number");
  return inputs[0];
}

}  // namespace

Tensor GatherRows::forward(const Tensor& x) {
  expect_ids(name, ids, x.rows());
  shape = x.shape();
  return gathered(name, x, ids);
}

std::array<Tensor, 1> GatherRows::backward(const Tensor& dy) const {
  return {scattered(name, dy, ids, shape)};
}

Tensor ScatterRows::forward(const Tensor& x) const {
  expect_ids(name, ids, rows);
  FOVEA_CHECK(x.rows() == ids.size(), name, ": expected an id for each row of ", x.shape(),
              ", found ", ids.size());
  return scattered(name, x, ids, {rows, x.cols()});
}

std::array<Tensor, 1> ScatterRows::backward(const Tensor& dy) const {
  return {gathered(name, dy, ids)};
}

Tensor SliceRows::forward(const Tensor& x) {
  FOVEA_CHECK(x.shape().rank() >= 1 && 0 <= begin && begin <= end && end <= x.shape()[0], name,
              ": rows [", begin, ", ", end, ") of ", x.shape());
  shape = x.shape();
  return x.slice(begin, end);
}

std::array<Tensor, 1> SliceRows::backward(const Tensor& dy) const {
  Tensor dx = Tensor::zeros(shape, dy.dtype());
  Tensor part = dx.slice(begin, end);
  if (dy.size() > 0) std::memcpy(part.mutable_raw(), dy.raw(), dy.bytes());
  return {dx};
}

Tensor Columns::forward(const Tensor& x) {
  FOVEA_CHECK(x.shape().rank() >= 1 && 0 <= begin && begin <= end && end <= x.cols(), name, ": [",
              begin, ", ", end, ") of ", x.shape());
  shape = x.shape();
  return cut(name, x, begin, end - begin);
}

std::array<Tensor, 1> Columns::backward(const Tensor& dy) const {
  Tensor dx = Tensor::zeros(shape, dy.dtype());
  paste(name, dy, dx, begin);
  return {dx};
}

std::array<Tensor, 3> SplitColumns::forward(const Tensor& x) const {
  const auto [a, b, c] = cols;
  FOVEA_CHECK(a >= 0 && b >= 0 && c >= 0 && x.shape().rank() >= 1 && a + b + c == x.cols(), name,
              ": expected sizes that add up to the columns of ", x.shape(), ", found ", a, ", ", b,
              " and ", c);
  return {cut(name, x, 0, a), cut(name, x, a, b), cut(name, x, a + b, c)};
}

std::array<Tensor, 1> SplitColumns::backward(std::span<const Tensor> dy) const {
  const auto [a, b, c] = cols;
  Tensor dx = Tensor::empty(with_cols(dy[0].shape(), a + b + c), dy[0].dtype());
  paste(name, dy[0], dx, 0);
  paste(name, dy[1], dx, a);
  paste(name, dy[2], dx, a + b);
  return {dx};
}

Tensor ConcatRows::forward(const std::vector<Tensor>& inputs) {
  const Tensor& first = first_of(name, inputs);
  Dim rows = 0;
  for (const Tensor& x : inputs) {
    expect_cols(name, "inputs", x, first.cols(), first.dtype());
    shapes.push_back(x.shape());
    rows += x.rows();
  }
  Tensor y = Tensor::empty({rows, first.cols()}, first.dtype());
  auto* to = static_cast<std::byte*>(y.mutable_raw());
  for (const Tensor& x : inputs) {
    if (x.size() > 0) std::memcpy(to, x.raw(), x.bytes());
    to += x.bytes();
  }
  return y;
}

std::vector<Tensor> ConcatRows::backward(const Tensor& dy) const {
  std::vector<Tensor> dx;
  Dim begin = 0;
  for (const Shape& shape : shapes) {
    dx.push_back(dy.slice(begin, begin + shape.rows()).reshape(shape));
    begin += shape.rows();
  }
  return dx;
}

Tensor ConcatColumns::forward(const std::vector<Tensor>& inputs) {
  const Tensor& first = first_of(name, inputs);
  Dim cols = 0;
  for (const Tensor& x : inputs) {
    FOVEA_CHECK(
        with_cols(x.shape(), 0) == with_cols(first.shape(), 0) && x.dtype() == first.dtype(), name,
        ": expected inputs with the rows and the type of ", first.shape(), " ", first.dtype(),
        ", found ", x.shape(), " ", x.dtype());
    shapes.push_back(x.shape());
    cols += x.cols();
  }
  Tensor y = Tensor::empty(with_cols(first.shape(), cols), first.dtype());
  Dim begin = 0;
  for (const Tensor& x : inputs) {
    paste(name, x, y, begin);
    begin += x.cols();
  }
  return y;
}

std::vector<Tensor> ConcatColumns::backward(const Tensor& dy) const {
  std::vector<Tensor> dx;
  Dim begin = 0;
  for (const Shape& shape : shapes) {
    dx.push_back(cut(name, dy, begin, shape.cols()));
    begin += shape.cols();
  }
  return dx;
}

Tensor Reshape::forward(const Tensor& x) {
  before = x.shape();
  return x.reshape(shape);
}

Tensor Transpose::forward(const Tensor& x) const {
  FOVEA_CHECK(x.shape().rank() == 2, name, ": expected a matrix, found ", x.shape());
  Tensor y = Tensor::empty({x.cols(), x.rows()}, x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const auto from = x.view<T>();
    const auto to = y.mutable_view<T>();
    parallel_for(to.rows, kernels::row_grain(to.cols), [&](Dim begin, Dim end) {
      for (Dim c = 0; c < to.cols; ++c) {
        for (Dim r = begin; r < end; ++r) to[r][c] = from[c][r];
      }
    });
  });
  return y;
}

}  // namespace fovea::op
