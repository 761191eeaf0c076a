#include "fovea/kernels/attend_relation.h"

#include <vector>

#include "fovea/kernels/gemm.h"

namespace fovea::kernels {
namespace {

template <class T>
Rows<T> head_of(Rows<T> all, Dim h, Dim heads) {
  const Dim cols = all.cols / heads;
  return all.columns(h * cols, (h + 1) * cols);
}

PackedMatrix<float> packed(Rows<const float> vectors, float scale, bool transpose) {
  const Scratch<float> scaled(vectors.size());
  const Rows<float> rows = rows_of(scaled.data(), vectors.rows, vectors.cols);
  for (Dim r = 0; r < rows.rows; ++r) {
    for (Dim c = 0; c < rows.cols; ++c) rows[r][c] = scale * vectors[r][c];
  }
  return PackedMatrix<float>(rows, transpose);
}

}  // namespace

void relate(Rows<const float> x, Rows<const float> vectors, float scale, Dim heads,
            Rows<float> table) {
  const PackedMatrix<float> by = packed(vectors, scale, true);
  for (Dim h = 0; h < heads; ++h) gemm(head_of(x, h, heads), by, head_of(table, h, heads));
}

void add_related(Rows<const float> table, Rows<const float> vectors, float scale, Dim heads,
                 Rows<float> y) {
  const PackedMatrix<float> by = packed(vectors, scale, false);
  for (Dim h = 0; h < heads; ++h) {
    gemm(head_of(table, h, heads), by, head_of(y, h, heads), {.accumulate = true});
  }
}

void add_relation_gradient(Rows<const float> table, Rows<const float> x, float scale, Dim heads,
                           Rows<float> dvectors) {
  const Scratch<float> sums(heads * dvectors.size());
  std::vector<GemmProblem<float>> products;
  for (Dim h = 0; h < heads; ++h) {
    products.push_back({head_of(table, h, heads), head_of(x, h, heads),
                        rows_of(sums.data() + h * dvectors.size(), dvectors.rows, dvectors.cols)});
  }
  gemm_batch(products, {.transpose_a = true});
  for (const GemmProblem<float>& of_head : products) {
    for (Dim r = 0; r < dvectors.rows; ++r) {
      for (Dim c = 0; c < dvectors.cols; ++c) dvectors[r][c] += scale * of_head.c[r][c];
    }
  }
}

}  // namespace fovea::kernels
