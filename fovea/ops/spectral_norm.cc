#include "fovea/ops/spectral_norm.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"
#include "fovea/kernels/gemm.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/reduce.h"
#include "fovea/ops/expect.h"

namespace fovea {
namespace {

/// The first extent by all others.
Tensor as_matrix(std::string_view name, const Tensor& t) {
  FOVEA_CHECK(t.shape().rank() >= 2, name, ": expected a weight of at least two extents, found ",
              t.shape());
  const Dim rows = t.shape()[0];
  return t.reshape({rows, rows == 0 ? t.cols() : t.size() / rows});
}

void check_vectors(const Tensor& matrix, const Tensor& u, const Tensor& v) {
  op::expect_vector(op::SpectralNorm::name, "u", u, matrix.rows(), matrix.dtype());
  op::expect_vector(op::SpectralNorm::name, "v", v, matrix.cols(), matrix.dtype());
}

/// W v, or W' u if transposed.
Tensor times(const Tensor& matrix, const Tensor& vector, bool transposed) {
  const Dim size = transposed ? matrix.cols() : matrix.rows();
  Tensor product = Tensor::empty({1, size}, matrix.dtype());
  with_real(op::SpectralNorm::name, matrix.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::gemm(rows_of(vector.data<T>(), 1, vector.size()), matrix.view<T>(),
                  product.mutable_view<T>(), {.transpose_b = !transposed});
  });
  return product.reshape({size});
}

double dot(const Tensor& a, const Tensor& b) {
  return with_real(op::SpectralNorm::name, a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return kernels::dot(a.data<T>(), b.data<T>(), a.size());
  });
}

/// to = direction / |direction|, unless that is zero.
void set_direction(Tensor direction, Tensor& to) {
  const double norm = std::sqrt(dot(direction, direction));
  if (norm == 0) return;
  with_real(op::SpectralNorm::name, direction.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* x = direction.mutable_data<T>();
    for (Dim i = 0; i < direction.size(); ++i) x[i] = static_cast<T>(x[i] / norm);
  });
  to = direction;
}

}  // namespace

void power_iteration(const Tensor& weight, SpectralVectors& vectors) {
  const Tensor matrix = as_matrix(op::SpectralNorm::name, weight);
  check_vectors(matrix, vectors.u, vectors.v);
  set_direction(times(matrix, vectors.u, true), vectors.v);
  set_direction(times(matrix, vectors.v, false), vectors.u);
}

namespace op {

Tensor SpectralNorm::forward(const Tensor& weight) {
  const Tensor matrix = as_matrix(name, weight);
  check_vectors(matrix, u, v);
  sigma = dot(u, times(matrix, v, false));
  y = weight.clone();
  if (sigma == 0) return y;
  with_real(name, y.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = y.mutable_data<T>();
    const T scale = static_cast<T>(1 / sigma);
    parallel_for(y.size(), kernels::kElementGrain, [&](Dim begin, Dim end) {
      for (Dim i = begin; i < end; ++i) to[i] *= scale;
    });
  });
  return y;
}

std::array<Tensor, 1> SpectralNorm::backward(const Tensor& dy) const {
  if (sigma == 0) return {dy};
  Tensor dw = dy.clone();
  const double along = dot(dy, y);
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows<T> rows = rows_of(dw.mutable_data<T>(), u.size(), v.size());
    const T scale = static_cast<T>(1 / sigma);
    parallel_for(rows.rows, kernels::row_grain(rows.cols), [&](Dim begin, Dim end) {
      for (Dim r = begin; r < end; ++r) {
        const T part = static_cast<T>(along) * u.data<T>()[r];
        for (Dim c = 0; c < rows.cols; ++c) {
          rows[r][c] = (rows[r][c] - part * v.data<T>()[c]) * scale;
        }
      }
    });
  });
  return {dw};
}

Tensor WeightNorm::forward(const Tensor& v, const Tensor& g) {
  const Tensor matrix = as_matrix(name, v);
  expect_vector(name, "a length for each row", g, matrix.rows(), matrix.dtype());
  direction = v;
  length = g;
  norms = Tensor::empty({matrix.rows()}, v.dtype());
  Tensor w = Tensor::empty(v.shape(), v.dtype());
  with_real(name, v.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows<const T> from = matrix.view<T>();
    const Rows<T> to = rows_of(w.mutable_data<T>(), from.rows, from.cols);
    T* norm = norms.mutable_data<T>();
    parallel_for(from.rows, kernels::row_grain(from.cols), [&](Dim begin, Dim end) {
      for (Dim r = begin; r < end; ++r) {
        norm[r] = static_cast<T>(std::sqrt(kernels::sum_of_squares(from[r], from.cols)));
        const T scale = norm[r] == 0 ? T(0) : g.data<T>()[r] / norm[r];
        for (Dim c = 0; c < from.cols; ++c) to[r][c] = scale * from[r][c];
      }
    });
  });
  return w;
}

// With n = v / |v|: dg = dy n, dv = g / |v| (dy - (dy n) n).
std::array<Tensor, 2> WeightNorm::backward(const Tensor& dy) const {
  Tensor dv = Tensor::empty(direction.shape(), direction.dtype());
  Tensor dg = Tensor::empty(length.shape(), length.dtype());
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Dim rows = length.size();
    const Dim cols = rows == 0 ? 0 : direction.size() / rows;
    const auto from = rows_of(direction.data<T>(), rows, cols),
               d = rows_of(dy.data<T>(), rows, cols);
    const Rows<T> to = rows_of(dv.mutable_data<T>(), rows, cols);
    parallel_for(rows, kernels::row_grain(cols), [&](Dim begin, Dim end) {
      for (Dim r = begin; r < end; ++r) {
        const T norm = norms.data<T>()[r], inverse = norm == 0 ? T(0) : 1 / norm;
        const T along = static_cast<T>(kernels::dot(d[r], from[r], cols)) * inverse;
        dg.mutable_data<T>()[r] = along;
        const T scale = length.data<T>()[r] * inverse;
        for (Dim c = 0; c < cols; ++c) {
          to[r][c] = scale * (d[r][c] - along * inverse * from[r][c]);
        }
      }
    });
  });
  return {dv, dg};
}

}  // namespace op
}  // namespace fovea
