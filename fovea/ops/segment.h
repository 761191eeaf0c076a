/// Ops that know where sequences begin: rows of a sequence made one, one row given to a sequence.
///
/// Letters: N rows in all, S sequences, D columns.
#pragma once

#include "fovea/autograd/apply.h"
#include "fovea/kernels/indexed_rows.h"
#include "fovea/tensor/segments.h"

namespace fovea {

using Pooling = kernels::Pool;  // sum, mean, max

namespace op {

struct SegmentPool {
  static constexpr std::string_view name = "segment_pool";
  Pooling pooling;
  Segments segments;
  Tensor where = {};  // max: (S, D) i32, the rows that the numbers came from
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

struct SegmentSoftmax {
  static constexpr std::string_view name = "segment_softmax";
  Segments segments;
  bool is_log = false;
  Tensor y = {};
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

}  // namespace op

/// The sum, mean or largest of each column over the rows of each sequence: (N, D) -> (S, D). A
/// sequence of no rows gives zeros.
inline Var segment_pool(const Var& x, const Segments& segments, Pooling pooling) {
  return apply(op::SegmentPool{pooling, segments}, x);
}

/// y_rc = exp(x_rc) / sum over the rows r' of r's sequence of exp(x_r'c), for each column c by
/// itself. A column of -inf gives zeros.
inline Var segment_softmax(const Var& x, const Segments& segments) {
  return apply(op::SegmentSoftmax{segments, false}, x);
}
/// Its logarithm.
inline Var segment_log_softmax(const Var& x, const Segments& segments) {
  return apply(op::SegmentSoftmax{segments, true}, x);
}

/// Row i of x to all rows of sequence i: (S, D) -> (N, D).
Var repeat_rows(const Var& x, const Segments& segments);

/// The rows of each sequence, last first.
Var reverse_rows(const Var& x, const Segments& segments);

}  // namespace fovea
