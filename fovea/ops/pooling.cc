#include "fovea/ops/pooling.h"

#include <algorithm>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"

namespace fovea::op {
namespace {

void check(std::string_view name, const Tensor& x, const Windows& windows) {
  FOVEA_CHECK(x.shape().rank() == 2 && x.rows() == windows.inputs(), name, ": expected ",
              windows.inputs(), " rows, found x of shape ", x.shape());
}

Dim grain(const Windows& windows, Dim cols) { return kernels::row_grain(cols * windows.taps()); }

/// How many rows lie under a place.
Dim rows_under(const Windows& windows, Dim output) {
  const std::int32_t* rows = windows.rows(output);
  return windows.taps() - std::count(rows, rows + windows.taps(), -1);
}

template <class T>
void max_row(const std::int32_t* rows, Dim taps, Rows<const T> x, T* y, std::int32_t* where) {
  std::fill_n(y, x.cols, T(0));
  std::fill_n(where, x.cols, -1);
  for (Dim k = 0; k < taps; ++k) {
    if (rows[k] < 0) continue;
    const T* row = x[rows[k]];
    for (Dim c = 0; c < x.cols; ++c) {
      const bool larger = where[c] < 0 || row[c] > y[c] || (row[c] != row[c] && y[c] == y[c]);
      y[c] = larger ? row[c] : y[c];
      where[c] = larger ? rows[k] : where[c];
    }
  }
}

}  // namespace

Tensor MaxPool::forward(const Tensor& x) {
  check(name, x, windows);
  Tensor y = Tensor::empty({windows.outputs(), x.cols()}, x.dtype());
  where = Tensor::empty(y.shape(), DType::i32);
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows<T> out = y.mutable_view<T>();
    const Rows<std::int32_t> from = where.mutable_view<std::int32_t>();
    parallel_for(out.rows, grain(windows, x.cols()), [&](Dim begin, Dim end) {
      for (Dim m = begin; m < end; ++m) {
        max_row(windows.rows(m), windows.taps(), x.view<T>(), out[m], from[m]);
      }
    });
  });
  return y;
}

std::array<Tensor, 1> MaxPool::backward(const Tensor& dy) const {
  Tensor dx = Tensor::empty({windows.inputs(), dy.cols()}, dy.dtype());
  const Windows::Seen seen = windows.seen();
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows<T> to = dx.mutable_view<T>();
    parallel_for(to.rows, grain(windows, to.cols), [&](Dim begin, Dim end) {
      for (Dim n = begin; n < end; ++n) {
        std::fill_n(to[n], to.cols, T(0));
        for (Dim i = seen.begin[n]; i < seen.begin[n + 1]; ++i) {
          const Dim m = seen.by[i] / windows.taps();
          const std::int32_t* from = where.view<std::int32_t>()[m];
          const T* g = dy.view<T>()[m];
          for (Dim c = 0; c < to.cols; ++c) to[n][c] += from[c] == n ? g[c] : T(0);
        }
      }
    });
  });
  return {dx};
}

Tensor AveragePool::forward(const Tensor& x) {
  check(name, x, windows);
  Tensor y = Tensor::empty({windows.outputs(), x.cols()}, x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows<T> out = y.mutable_view<T>();
    parallel_for(out.rows, grain(windows, x.cols()), [&](Dim begin, Dim end) {
      for (Dim m = begin; m < end; ++m) {
        std::fill_n(out[m], out.cols, T(0));
        const T share = T(1) / static_cast<T>(std::max<Dim>(rows_under(windows, m), 1));
        for (Dim k = 0; k < windows.taps(); ++k) {
          const std::int32_t row = windows.rows(m)[k];
          if (row < 0) continue;
          for (Dim c = 0; c < out.cols; ++c) out[m][c] += share * x.view<T>()[row][c];
        }
      }
    });
  });
  return y;
}

std::array<Tensor, 1> AveragePool::backward(const Tensor& dy) const {
  Tensor dx = Tensor::empty({windows.inputs(), dy.cols()}, dy.dtype());
  const Windows::Seen seen = windows.seen();
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows<T> to = dx.mutable_view<T>();
    parallel_for(to.rows, grain(windows, to.cols), [&](Dim begin, Dim end) {
      for (Dim n = begin; n < end; ++n) {
        std::fill_n(to[n], to.cols, T(0));
        for (Dim i = seen.begin[n]; i < seen.begin[n + 1]; ++i) {
          const Dim m = seen.by[i] / windows.taps();
          const T share = T(1) / static_cast<T>(rows_under(windows, m));
          for (Dim c = 0; c < to.cols; ++c) to[n][c] += share * dy.view<T>()[m][c];
        }
      }
    });
  });
  return {dx};
}

}  // namespace fovea::op
