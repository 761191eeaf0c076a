#include "fovea/ops/reduce.h"

#include <algorithm>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/reduce.h"

namespace fovea {
namespace op {

Tensor Sum::forward(const Tensor& x) {
  shape = x.shape();
  return with_real(name, x.dtype(), [&](auto zero) {
    const double sum = kernels::sum(x.data<decltype(zero)>(), x.size());
    return Tensor::full({}, factor * sum, x.dtype());
  });
}

std::array<Tensor, 1> Sum::backward(const Tensor& dy) const {
  return {Tensor::full(shape, factor * dy.item(), dy.dtype())};
}

Tensor RowSums::forward(const Tensor& x) {
  shape = x.shape();
  Tensor y = Tensor::empty({x.rows()}, x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::row_sums(x.view<T>(), y.mutable_data<T>());
  });
  return y;
}

std::array<Tensor, 1> RowSums::backward(const Tensor& dy) const {
  Tensor dx = Tensor::empty(shape, dy.dtype());
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const auto to = dx.mutable_view<T>();
    const T* d = dy.data<T>();
    parallel_for(to.rows, kernels::row_grain(to.cols), [&](Dim begin, Dim end) {
      for (Dim r = begin; r < end; ++r) std::fill_n(to[r], to.cols, d[r]);
    });
  });
  return {dx};
}

Tensor RowMax::forward(const Tensor& x) {
  FOVEA_CHECK(x.cols() > 0, name, ": expected at least one column, found ", x.shape());
  shape = x.shape();
  where = Tensor::empty({x.rows()}, DType::i32);
  Tensor y = Tensor::empty({x.rows()}, x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::row_max(x.view<T>(), y.mutable_data<T>(), where.mutable_data<std::int32_t>());
  });
  return y;
}

std::array<Tensor, 1> RowMax::backward(const Tensor& dy) const {
  Tensor dx = Tensor::zeros(shape, dy.dtype());
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const auto to = dx.mutable_view<T>();
    const std::int32_t* column = where.data<std::int32_t>();
    for (Dim r = 0; r < to.rows; ++r) {
      if (column[r] >= 0) to[r][column[r]] = dy.data<T>()[r];  // a row of NaN has no largest
    }
  });
  return {dx};
}

}  // namespace op

Var mean(const Var& x) {
  return apply(op::Sum{.factor = 1 / static_cast<double>(std::max<Dim>(x.value().size(), 1))}, x);
}

Tensor argmax(const Tensor& x) {
  FOVEA_CHECK(x.cols() > 0, "argmax: expected at least one column, found ", x.shape());
  op::RowMax max;
  max.forward(x);
  return max.where;
}

}  // namespace fovea
