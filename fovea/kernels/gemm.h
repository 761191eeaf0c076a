/// Matrix products.
///
/// Every element of a product is computed in one order, whatever the number of rows, the place of
/// its row, the threads, and however the operands are stored: depth is cut into blocks of 256, a
/// block is one chain of fused multiply-adds in rising k from zero, and the blocks are added in
/// rising order. So a row's bits do not depend on its batch. Where products are of bfloat16
/// (products.h) the same holds of pairs of steps; of int8 all sums within a block are exact.
#pragma once

#include <memory>
#include <span>

#include "fovea/base/arena.h"
#include "fovea/base/view.h"
#include "fovea/kernels/products.h"

namespace fovea::kernels {

template <class T>
struct GemmOptions {
  bool transpose_a = false;  // a is stored as (depth, rows)
  bool transpose_b = false;  // b is stored as (cols, depth), as a layer's weight (out, in) is
  bool accumulate = false;   // onto what c holds: the first block of depth is added to it
  const T* bias = nullptr;   // one number a column, added last
  bool relu = false;         // max(x, 0) after that; NaN stays NaN
};

/// The right-hand matrix of a product in the order in which the product reads it: for weights that
/// do not change, or that many products share (each step of an LSTM). Costs about as much as a
/// copy; its memory comes from the arena.
template <class T>
class PackedMatrix {
 public:
  PackedMatrix() = default;
  explicit PackedMatrix(Rows<const T> b, bool transpose_b = false);
  /// The weight (out, in) of a layer, as weight_products() says.
  static PackedMatrix of_weight(Rows<const T> weight);

  Dim depth() const { return depth_; }
  Dim cols() const { return cols_; }
  const T* data() const { return data_.get(); }
  /// What it was packed as: of bfloat16 two steps of depth, of int8 four in the place of one T.
  Products of() const { return of_; }

 private:
  struct Release {
    void operator()(T* data) const { Arena::shared().release(data); }
  };
  std::unique_ptr<T[], Release> data_;
  Dim depth_ = 0;
  Dim cols_ = 0;
  Products of_ = Products::float32;
};

template <>
PackedMatrix<float>::PackedMatrix(Rows<const float> b, bool transpose_b);
template <>
PackedMatrix<double>::PackedMatrix(Rows<const double> b, bool transpose_b);
template <>
PackedMatrix<float> PackedMatrix<float>::of_weight(Rows<const float> weight);

/// c = op(a) op(b), (rows, depth) by (depth, cols). c shares no memory with a or b.
void gemm(Rows<const float> a, Rows<const float> b, Rows<float> c,
          const GemmOptions<float>& options = {});
void gemm(Rows<const double> a, Rows<const double> b, Rows<double> c,
          const GemmOptions<double>& options = {});

/// The same bits with b packed. Whether b was transposed has been said when it was packed.
void gemm(Rows<const float> a, const PackedMatrix<float>& b, Rows<float> c,
          const GemmOptions<float>& options = {});
void gemm(Rows<const double> a, const PackedMatrix<double>& b, Rows<double> c,
          const GemmOptions<double>& options = {});

template <class T>
struct GemmProblem {
  Rows<const T> a, b;
  Rows<T> c;
};

/// Many products of the same kind in one parallel loop: heads, segments. A bias is shared by all.
void gemm_batch(std::span<const GemmProblem<float>> problems,
                const GemmOptions<float>& options = {});
void gemm_batch(std::span<const GemmProblem<double>> problems,
                const GemmOptions<double>& options = {});

}  // namespace fovea::kernels
