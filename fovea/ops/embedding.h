/// Rows of a table by their ids.
#pragma once

#include "fovea/autograd/apply.h"

namespace fovea {
namespace op {

/// y_r = factor table[ids[r]]. The gradient has only the rows that were used.
struct Embedding {
  static constexpr std::string_view name = "embedding";
  Tensor ids;
  double factor = 1;
  Shape table_shape = {};
  Tensor forward(const Tensor& table);
  std::array<Gradient, 1> backward(const Tensor& dy) const;
};

/// `ids` is i32 and each is a row of `rows`; the error names the first that is not.
void expect_ids(std::string_view op, const Tensor& ids, Dim rows);

}  // namespace op

/// y_r = factor table[ids[r]]: ids (N) i32, table (V, D), y (N, D).
inline Var embedding(const Var& table, const Tensor& ids, double factor = 1) {
  return apply(op::Embedding{ids, factor}, table);
}

}  // namespace fovea
