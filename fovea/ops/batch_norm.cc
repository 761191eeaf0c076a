#include "fovea/ops/batch_norm.h"

#include <algorithm>
#include <cmath>

#include "fovea/kernels/elementwise.h"
#include "fovea/kernels/reduce.h"
#include "fovea/ops/expect.h"

namespace fovea::op {
namespace {

using Step = kernels::Binary;

template <class T>
void combine(Step op, const Tensor& a, const Tensor& b, Tensor& y) {
  kernels::binary(op, a.data<T>(), b.data<T>(), y.mutable_data<T>(), y.size());
}

template <class T>
void combine_row(Step op, const Tensor& x, const Tensor& row, Tensor& y) {
  kernels::binary_row(op, x.view<T>(), row.data<T>(), y.mutable_view<T>());
}

template <class T>
Tensor column_sums(const Tensor& x, T factor = 1) {
  Tensor sums = Tensor::empty({x.cols()}, x.dtype());
  kernels::column_sums(x.view<T>(), sums.mutable_data<T>());
  kernels::scale(factor, sums.data<T>(), sums.mutable_data<T>(), sums.size());
  return sums;
}

// running = (1 - momentum) running + momentum factor batch
template <class T>
void take_in(Tensor& running, const Tensor& batch, double momentum, double factor) {
  T* to = running.mutable_data<T>();
  kernels::scale(static_cast<T>(1 - momentum), to, to, running.size());
  kernels::axpy(static_cast<T>(momentum * factor), batch.data<T>(), to, running.size());
}

}  // namespace

Tensor BatchNorm::forward(const Tensor& x, const Tensor& scale, const Tensor& shift) {
  for (const auto& [what, vector] :
       {std::pair("gamma", &scale), std::pair("beta", &shift),
        std::pair("a running mean", &std::as_const(running.mean)),
        std::pair("a running variance", &std::as_const(running.variance))}) {
    expect_vector(name, what, *vector, x.cols(), x.dtype());
  }
  gamma = scale;
  h = Tensor::empty(x.shape(), x.dtype());
  Tensor y = Tensor::empty(x.shape(), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const double rows = static_cast<double>(std::max<Dim>(x.rows(), 1));
    const T share = static_cast<T>(1 / rows);
    const Tensor mean = options.training ? column_sums<T>(x, share) : running.mean;
    combine_row<T>(Step::sub, x, mean, h);
    Tensor variance = running.variance;
    if (options.training) {
      combine<T>(Step::mul, h, h, y);
      variance = column_sums<T>(y, share);
    }
    if (options.training && x.rows() > 0) {
      take_in<T>(running.mean, mean, options.momentum, 1);
      take_in<T>(running.variance, variance, options.momentum, rows / std::max(rows - 1, 1.0));
    }
    rstd = Tensor::empty(variance.shape(), x.dtype());
    for (Dim c = 0; c < rstd.size(); ++c) {
      rstd.mutable_data<T>()[c] =
          1 / std::sqrt(variance.data<T>()[c] + static_cast<T>(options.eps));
    }
    combine_row<T>(Step::mul, h, rstd, h);
    combine_row<T>(Step::mul, h, scale, y);
    combine_row<T>(Step::add, y, shift, y);
  });
  running = {};
  return y;
}

// dgamma = sum dy h, dbeta = sum dy,
// dx = gamma rstd (dy - dbeta / N - h dgamma / N), or gamma rstd dy by fixed statistics.
std::array<Tensor, 3> BatchNorm::backward(const Tensor& dy) const {
  Tensor dx = Tensor::empty(dy.shape(), dy.dtype()), dgamma, dbeta;
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    combine<T>(Step::mul, dy, h, dx);
    dgamma = column_sums<T>(dx);
    dbeta = column_sums<T>(dy);
    Tensor factor = Tensor::empty(rstd.shape(), rstd.dtype());
    combine<T>(Step::mul, gamma, rstd, factor);
    if (!options.training) return combine_row<T>(Step::mul, dy, factor, dx);
    const T share = T(1) / static_cast<T>(std::max<Dim>(dy.rows(), 1));
    combine_row<T>(Step::mul, h, dgamma, dx);
    combine_row<T>(Step::add, dx, dbeta, dx);
    kernels::scale(-share, dx.data<T>(), dx.mutable_data<T>(), dx.size());
    combine<T>(Step::add, dx, dy, dx);
    combine_row<T>(Step::mul, dx, factor, dx);
  });
  return {dx, dgamma, dbeta};
}

}  // namespace fovea::op
