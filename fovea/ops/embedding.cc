#include "fovea/ops/embedding.h"

#include "fovea/kernels/elementwise.h"
#include "fovea/kernels/indexed_rows.h"

namespace fovea::op {

void expect_ids(std::string_view op, const Tensor& ids, Dim rows) {
  FOVEA_CHECK(ids.defined() && ids.dtype() == DType::i32 && ids.shape().rank() == 1, op,
              ": expected ids of shape (N) i32, found ", ids.shape(), " ", ids.dtype());
  const auto all = ids.span<std::int32_t>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    FOVEA_CHECK(0 <= all[i] && all[i] < rows, op, ": id ", all[i], " at position ", i,
                " is not one of ", rows, " rows");
  }
}

Tensor Embedding::forward(const Tensor& table) {
  FOVEA_CHECK(table.shape().rank() == 2, name, ": expected a table of shape (ids, columns), found ",
              table.shape());
  expect_ids(name, ids, table.rows());
  table_shape = table.shape();
  Tensor y = Tensor::empty({ids.size(), table.cols()}, table.dtype());
  with_real(name, table.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::gather_rows(table.view<T>(), ids.data<std::int32_t>(), y.mutable_view<T>());
    T* all = y.mutable_data<T>();
    if (factor != 1) kernels::scale(static_cast<T>(factor), all, all, y.size());
  });
  return y;
}

std::array<Gradient, 1> Embedding::backward(const Tensor& dy) const {
  Tensor rows = dy;
  if (factor != 1) {
    rows = Tensor::empty(dy.shape(), dy.dtype());
    with_real(name, dy.dtype(), [&](auto zero) {
      using T = decltype(zero);
      kernels::scale(static_cast<T>(factor), dy.data<T>(), rows.mutable_data<T>(), dy.size());
    });
  }
  return {Gradient::by_rows(table_shape, ids, rows)};
}

}  // namespace fovea::op
