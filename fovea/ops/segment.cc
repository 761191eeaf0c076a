#include "fovea/ops/segment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/threads.h"
#include "fovea/kernels/elementwise.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/scratch.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace op {
namespace {

void expect_segments(std::string_view op, const Tensor& x, const Segments& segments) {
  FOVEA_CHECK(x.shape().rank() >= 1 && x.rows() == segments.rows(), op, ": expected ",
              segments.rows(), " rows for ", segments.count(), " sequences, found ", x.shape());
}

// body(segment) for each, on all threads if that is worth it.
template <class Body>
void for_each_segment(const Segments& segments, Dim cols, Body&& body) {
  const Dim count = segments.count();
  const Dim elements = segments.rows() * cols / std::max<Dim>(count, 1);
  parallel_for(count, kernels::row_grain(elements), [&](Dim begin, Dim end) {
    for (Dim s = begin; s < end; ++s) body(s);
  });
}

// y = exp(x - shift), then y / sum or, for the logarithm, x - shift - log sum. Rows are contiguous,
// so that exp goes over all of a sequence at once. `row` has room for two rows.
template <class T>
void softmax_of(Rows<const T> x, Rows<T> y, bool is_log, T* row) {
  constexpr T lowest = -std::numeric_limits<T>::infinity();
  T *shift = row, *total = row + x.cols;
  std::fill_n(shift, x.cols, lowest);
  for (Dim r = 0; r < x.rows; ++r) {
    for (Dim c = 0; c < x.cols; ++c) shift[c] = std::max(shift[c], x[r][c]);
  }
  for (Dim c = 0; c < x.cols; ++c) shift[c] = shift[c] == lowest ? T(0) : shift[c];
  for (Dim r = 0; r < x.rows; ++r) {
    for (Dim c = 0; c < x.cols; ++c) y[r][c] = x[r][c] - shift[c];
  }
  kernels::unary(kernels::Unary::exp, y.data, y.data, y.size());
  std::fill_n(total, x.cols, T(0));
  for (Dim r = 0; r < x.rows; ++r) {
    for (Dim c = 0; c < x.cols; ++c) total[c] += y[r][c];
  }
  for (Dim c = 0; c < x.cols; ++c) {
    if (is_log) {
      shift[c] += std::log(total[c]);
    } else {
      total[c] = total[c] == 0 ? T(0) : 1 / total[c];
    }
  }
  for (Dim r = 0; r < x.rows; ++r) {
    for (Dim c = 0; c < x.cols; ++c) y[r][c] = is_log ? x[r][c] - shift[c] : y[r][c] * total[c];
  }
}

// dx = y (dy - sum(dy y)); for the logarithm dx = dy - exp(y) sum(dy).
template <class T>
void softmax_backward_of(Rows<const T> y, Rows<const T> dy, Rows<T> dx, bool is_log, T* dot) {
  std::fill_n(dot, y.cols, T(0));
  for (Dim r = 0; r < y.rows; ++r) {
    for (Dim c = 0; c < y.cols; ++c) dot[c] += is_log ? dy[r][c] : dy[r][c] * y[r][c];
  }
  if (is_log) kernels::unary(kernels::Unary::exp, y.data, dx.data, y.size());
  for (Dim r = 0; r < y.rows; ++r) {
    for (Dim c = 0; c < y.cols; ++c) {
      dx[r][c] = is_log ? dy[r][c] - dx[r][c] * dot[c] : y[r][c] * (dy[r][c] - dot[c]);
    }
  }
}

}  // namespace

Tensor SegmentPool::forward(const Tensor& x) {
  expect_segments(name, x, segments);
  Tensor y = Tensor::empty({segments.count(), x.cols()}, x.dtype());
  where = Tensor::empty(pooling == Pooling::max ? y.shape() : Shape({0, 0}), DType::i32);
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::pool_segments(pooling, x.view<T>(), segments.offsets(), y.mutable_view<T>(),
                           where.mutable_view<std::int32_t>());
  });
  return y;
}

std::array<Tensor, 1> SegmentPool::backward(const Tensor& dy) const {
  Tensor dx = Tensor::empty({segments.rows(), dy.cols()}, dy.dtype());
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::pool_segments_backward(pooling, dy.view<T>(), segments.offsets(),
                                    where.view<std::int32_t>(), dx.mutable_view<T>());
  });
  return {dx};
}

Tensor SegmentSoftmax::forward(const Tensor& x) {
  expect_segments(name, x, segments);
  y = Tensor::empty(x.shape(), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_segment(segments, x.cols(), [&](Dim s) {
      const Dim begin = segments.begin(s), end = segments.end(s);
      const kernels::Scratch<T> row(2 * x.cols());
      softmax_of<T>(x.view<T>().range(begin, end), y.mutable_view<T>().range(begin, end), is_log,
                    row.data());
    });
  });
  return y;
}

std::array<Tensor, 1> SegmentSoftmax::backward(const Tensor& dy) const {
  Tensor dx = Tensor::empty(y.shape(), y.dtype());
  with_real(name, y.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_segment(segments, y.cols(), [&](Dim s) {
      const Dim begin = segments.begin(s), end = segments.end(s);
      const kernels::Scratch<T> row(y.cols());
      softmax_backward_of<T>(y.view<T>().range(begin, end), dy.view<T>().range(begin, end),
                             dx.mutable_view<T>().range(begin, end), is_log, row.data());
    });
  });
  return {dx};
}

}  // namespace op

Var repeat_rows(const Var& x, const Segments& segments) {
  FOVEA_CHECK(x.rows() == segments.count(), "repeat_rows: expected a row for each of ",
              segments.count(), " sequences, found ", x.shape());
  Tensor ids = Tensor::empty({segments.rows()}, DType::i32);
  for (Dim s = 0; s < segments.count(); ++s) {
    std::fill_n(ids.mutable_data<std::int32_t>() + segments.begin(s), segments.length(s),
                static_cast<std::int32_t>(s));
  }
  return gather_rows(x, ids);
}

Var reverse_rows(const Var& x, const Segments& segments) {
  op::expect_segments("reverse_rows", x.value(), segments);
  Tensor ids = Tensor::empty({segments.rows()}, DType::i32);
  for (Dim s = 0; s < segments.count(); ++s) {
    for (Dim r = segments.begin(s); r < segments.end(s); ++r) {
      ids.mutable_data<std::int32_t>()[r] =
          static_cast<std::int32_t>(segments.begin(s) + segments.end(s) - 1 - r);
    }
  }
  return gather_rows(x, ids);
}

}  // namespace fovea
