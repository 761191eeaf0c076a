#include "fovea/ops/convolution.h"

#include <algorithm>

#include "fovea/base/threads.h"
#include "fovea/kernels/gemm.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/reduce.h"
#include "fovea/kernels/row_blocks.h"
#include "fovea/ops/expect.h"

namespace fovea::op {
namespace {

/// The rows under each place side by side, zeros where there is none: (M, K C).
template <class T>
void lay_out(const Windows& windows, Rows<const T> x, Rows<T> y) {
  parallel_for(y.rows, kernels::row_grain(y.cols), [&](Dim begin, Dim end) {
    for (Dim m = begin; m < end; ++m) {
      T* to = y[m];
      for (Dim k = 0; k < windows.taps(); ++k, to += x.cols) {
        const std::int32_t row = windows.rows(m)[k];
        if (row < 0) {
          std::fill_n(to, x.cols, T(0));
        } else {
          std::copy_n(x[row], x.cols, to);
        }
      }
    }
  });
}

/// The reverse: x_n = sum of the parts of y, (M, K C), that lay_out took from it.
template <class T>
void add_up(const Windows& windows, const Windows::Seen& seen, Rows<const T> y, Rows<T> x) {
  parallel_for(x.rows, kernels::row_grain(x.cols * windows.taps()), [&](Dim begin, Dim end) {
    for (Dim n = begin; n < end; ++n) {
      std::fill_n(x[n], x.cols, T(0));
      for (Dim i = seen.begin[n]; i < seen.begin[n + 1]; ++i) {
        const T* part = y[seen.by[i] / windows.taps()] + seen.by[i] % windows.taps() * x.cols;
        for (Dim c = 0; c < x.cols; ++c) x[n][c] += part[c];
      }
    }
  });
}

/// (rows, a, b) -> (rows, b, a): between (O, C, K), as weights are kept, and (O, K, C).
Tensor swapped(const Tensor& t, Dim rows, Dim a, Dim b) {
  Tensor out = Tensor::empty({rows, b * a}, t.dtype());
  with_real("convolution", t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = t.data<T>();
    T* to = out.mutable_data<T>();
    for (Dim r = 0; r < rows; ++r) {
      for (Dim j = 0; j < b; ++j) {
        for (Dim i = 0; i < a; ++i) *to++ = from[(r * a + i) * b + j];
      }
    }
  });
  return out;
}

// One filter a channel, w (K, C).

template <class T>
void depthwise(const Windows& windows, Rows<const T> x, Rows<const T> w, const T* bias, Rows<T> y) {
  parallel_for(y.rows, kernels::row_grain(y.cols * w.rows), [&](Dim begin, Dim end) {
    for (Dim m = begin; m < end; ++m) {
      if (bias) {
        std::copy_n(bias, y.cols, y[m]);
      } else {
        std::fill_n(y[m], y.cols, T(0));
      }
      for (Dim k = 0; k < w.rows; ++k) {
        const std::int32_t row = windows.rows(m)[k];
        if (row < 0) continue;
        for (Dim c = 0; c < y.cols; ++c) y[m][c] += w[k][c] * x[row][c];
      }
    }
  });
}

template <class T>
void depthwise_input(const Windows& windows, Rows<const T> dy, Rows<const T> w, Rows<T> dx) {
  const Windows::Seen seen = windows.seen();
  parallel_for(dx.rows, kernels::row_grain(dx.cols * w.rows), [&](Dim begin, Dim end) {
    for (Dim n = begin; n < end; ++n) {
      std::fill_n(dx[n], dx.cols, T(0));
      for (Dim i = seen.begin[n]; i < seen.begin[n + 1]; ++i) {
        const T* g = dy[seen.by[i] / w.rows];
        const T* filter = w[seen.by[i] % w.rows];
        for (Dim c = 0; c < dx.cols; ++c) dx[n][c] += filter[c] * g[c];
      }
    }
  });
}

template <class T>
void depthwise_weight(const Windows& windows, Rows<const T> x, Rows<const T> dy, Rows<T> dw) {
  kernels::sum_over_row_blocks(dy.rows, dy.cols * dw.rows, dw.size(), dw.data,
                               [&](Dim begin, Dim end, T* sum) {
                                 for (Dim m = begin; m < end; ++m) {
                                   for (Dim k = 0; k < dw.rows; ++k) {
                                     const std::int32_t row = windows.rows(m)[k];
                                     if (row < 0) continue;
                                     T* to = sum + k * dw.cols;
                                     for (Dim c = 0; c < dw.cols; ++c)
                                       to[c] += dy[m][c] * x[row][c];
                                   }
                                 }
                               });
}

bool is_depthwise(Dim groups, const Tensor& x, const Tensor& weight) {
  return groups > 1 && groups == x.cols() && groups == weight.shape()[0];
}

}  // namespace

Tensor Convolution::forward(const Tensor& rows, const Tensor& filters, const Tensor& bias) {
  x = rows;
  weight = filters;
  const Dim out = weight.shape()[0], in = weight.shape()[1], taps = windows.taps();
  Tensor y = Tensor::empty({windows.outputs(), out}, x.dtype());
  const bool per_channel = is_depthwise(groups, x, weight);
  const Tensor w = per_channel ? swapped(weight, 1, out, taps).reshape({taps, out})
                               : swapped(weight, out, in, taps);
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* b = data_or_null<T>(bias);
    if (per_channel) return depthwise(windows, x.view<T>(), w.view<T>(), b, y.mutable_view<T>());
    const Dim share = out / groups;
    Tensor laid = Tensor::empty({windows.outputs(), taps * in}, x.dtype());
    for (Dim g = 0; g < groups; ++g) {
      lay_out(windows, x.view<T>().columns(g * in, (g + 1) * in), laid.mutable_view<T>());
      kernels::gemm(std::as_const(laid).view<T>(), w.view<T>().range(g * share, (g + 1) * share),
                    y.mutable_view<T>().columns(g * share, (g + 1) * share),
                    {.transpose_b = true, .bias = b ? b + g * share : nullptr});
    }
  });
  return y;
}

std::array<Tensor, 3> Convolution::backward(const Tensor& dy, Needs needs) const {
  const Dim out = weight.shape()[0], in = weight.shape()[1], taps = windows.taps();
  const bool per_channel = is_depthwise(groups, x, weight);
  std::array<Tensor, 3> d;
  Tensor dw;
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows<const T> all_dy = dy.view<T>();
    if (needs[0]) d[0] = Tensor::empty(x.shape(), x.dtype());
    if (needs[1])
      dw = Tensor::empty(per_channel ? Shape{taps, out} : Shape{out, taps * in}, x.dtype());
    if (needs[2]) {
      d[2] = Tensor::empty({out}, x.dtype());
      kernels::column_sums(all_dy, d[2].mutable_data<T>());
    }
    if (per_channel) {
      const Tensor w = swapped(weight, 1, out, taps).reshape({taps, out});
      if (needs[0]) depthwise_input(windows, all_dy, w.view<T>(), d[0].mutable_view<T>());
      if (needs[1]) depthwise_weight(windows, x.view<T>(), all_dy, dw.mutable_view<T>());
      return;
    }
    const Tensor w = swapped(weight, out, in, taps);
    const Windows::Seen seen = needs[0] ? windows.seen() : Windows::Seen{};
    Tensor laid = Tensor::empty({windows.outputs(), taps * in}, x.dtype());
    const Rows<T> side_by_side = laid.mutable_view<T>();
    const Dim share = out / groups;
    for (Dim g = 0; g < groups; ++g) {
      const Rows<const T> dy_g = all_dy.columns(g * share, (g + 1) * share);
      if (needs[1]) {
        lay_out(windows, x.view<T>().columns(g * in, (g + 1) * in), side_by_side);
        kernels::gemm(dy_g, side_by_side, dw.mutable_view<T>().range(g * share, (g + 1) * share),
                      {.transpose_a = true});
      }
      if (needs[0]) {
        kernels::gemm(dy_g, w.view<T>().range(g * share, (g + 1) * share), side_by_side);
        add_up<T>(windows, seen, side_by_side,
                  d[0].mutable_view<T>().columns(g * in, (g + 1) * in));
      }
    }
  });
  if (needs[1]) {
    d[1] = (per_channel ? swapped(dw, 1, taps, out) : swapped(dw, out, taps, in))
               .reshape(weight.shape());
  }
  return d;
}

Tensor RowsUnder::forward(const Tensor& x) const {
  FOVEA_CHECK(x.shape().rank() == 2 && x.rows() == windows.inputs(), name, ": expected ",
              windows.inputs(), " rows, found x of shape ", x.shape());
  Tensor y = Tensor::empty({windows.outputs(), windows.taps() * x.cols()}, x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    lay_out(windows, x.view<T>(), y.mutable_view<T>());
  });
  return y;
}

std::array<Tensor, 1> RowsUnder::backward(const Tensor& dy) const {
  Tensor dx = Tensor::empty({windows.inputs(), dy.cols() / windows.taps()}, dy.dtype());
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    add_up<T>(windows, windows.seen(), dy.view<T>(), dx.mutable_view<T>());
  });
  return {dx};
}

}  // namespace fovea::op

namespace fovea {
namespace {

void check(const Var& x, Dim rows, const Var& weight, const Var& bias, Dim groups) {
  constexpr std::string_view name = op::Convolution::name;
  FOVEA_CHECK(x.shape().rank() == 2 && x.rows() == rows, name, ": expected ", rows,
              " rows, found x of shape ", x.shape());
  FOVEA_CHECK(groups >= 1 && x.cols() % groups == 0 && weight.shape()[0] % groups == 0, name, ": ",
              groups, " groups do not divide ", x.cols(), " channels in and ", weight.shape()[0],
              " channels out");
  FOVEA_CHECK(weight.shape()[1] == x.cols() / groups, name, ": expected a weight with ",
              x.cols() / groups, " channels in, found ", weight.shape());
  if (bias.defined()) {
    op::expect_vector(name, "a bias", bias.value(), weight.shape()[0], x.dtype());
  }
}

}  // namespace

Var conv1d(const Var& x, const Segments& segments, const Var& weight, const Var& bias,
           const Window& window, Dim groups) {
  FOVEA_CHECK(weight.shape().rank() == 3 && weight.shape()[2] == window.size,
              "conv1d: expected a weight of shape (out, in / groups, ", window.size, "), found ",
              weight.shape());
  check(x, segments.rows(), weight, bias, groups);
  return apply(op::Convolution{.windows = Windows(segments, window), .groups = groups}, x, weight,
               bias);
}

Var conv2d(const Var& x, const ImageShape& images, const Var& weight, const Var& bias,
           const Window2d& window, Dim groups) {
  FOVEA_CHECK(weight.shape().rank() == 4 && weight.shape()[2] == window.height.size &&
                  weight.shape()[3] == window.width.size,
              "conv2d: expected a weight of shape (out, in / groups, ", window.height.size, ", ",
              window.width.size, "), found ", weight.shape());
  check(x, images.rows(), weight, bias, groups);
  return apply(op::Convolution{.windows = Windows(images, window), .groups = groups}, x, weight,
               bias);
}

}  // namespace fovea
