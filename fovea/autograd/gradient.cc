#include "fovea/autograd/gradient.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "fovea/base/arena.h"
#include "fovea/base/threads.h"

namespace fovea {
namespace {

/// to[ids[r]] += rows[r]
void scatter_add(Tensor& to, const Tensor& ids, const Tensor& rows) {
  with_real("gradient", to.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows<T> target = to.mutable_view<T>();
    const Rows<const T> source = rows.view<T>();
    const std::int32_t* id = ids.data<std::int32_t>();
    for (Dim r = 0; r < source.rows; ++r) {
      for (Dim c = 0; c < source.cols; ++c) target[id[r]][c] += source[r][c];
    }
  });
}

Tensor joined(const Tensor& a, const Tensor& b, Shape shape) {
  Tensor out = Tensor::empty(shape, a.dtype());
  std::memcpy(out.mutable_raw(), a.raw(), a.bytes());
  std::memcpy(static_cast<std::byte*>(out.mutable_raw()) + a.bytes(), b.raw(), b.bytes());
  return out;
}

/// The rows of all, one after the other.
Tensor stacked(const ArenaVector<std::pair<Tensor, Tensor>>& pairs,
               Tensor std::pair<Tensor, Tensor>::*side) {
  const Tensor& first = pairs.front().*side;
  if (pairs.size() == 1) return first;
  Dim rows = 0;
  for (const auto& pair : pairs) rows += (pair.*side).rows();
  Tensor out = Tensor::empty({rows, first.cols()}, first.dtype());
  auto* to = static_cast<std::byte*>(out.mutable_raw());
  for (const auto& pair : pairs) {
    const Tensor& part = pair.*side;
    std::memcpy(to, part.raw(), part.bytes());
    to += part.bytes();
  }
  return out;
}

}  // namespace

Gradient Gradient::by_rows(Shape shape, Tensor ids, Tensor rows) {
  FOVEA_CHECK(rows.rows() == ids.size() && rows.cols() == shape.cols(), "gradient: ", ids.size(),
              " ids and rows of shape ", rows.shape(), " for a variable of shape ", shape);
  Gradient g;
  g.shape_ = shape;
  g.ids_ = std::move(ids);
  g.rows_ = std::move(rows);
  return g;
}

Gradient Gradient::by_factors(Tensor left, Tensor right, Multiply multiply) {
  FOVEA_CHECK(left.rows() == right.rows(), "gradient: factors of ", left.rows(), " and ",
              right.rows(), " rows");
  Gradient g;
  g.factors_.emplace_back(std::move(left), std::move(right));
  g.multiply_ = multiply;
  return g;
}

void Gradient::settle() {
  if (factors_.empty()) return;
  using Pair = std::pair<Tensor, Tensor>;
  const auto factors = std::move(factors_);
  factors_.clear();
  add(multiply_(stacked(factors, &Pair::first), stacked(factors, &Pair::second)));
}

void Gradient::make_compact() {
  if (!is_by_rows()) return;
  const auto ids = ids_.span<std::int32_t>();
  if (std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end()) return;
  ArenaVector<std::int32_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return std::pair(ids[a], a) < std::pair(ids[b], b);
  });
  Dim count = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    count += i == 0 || ids[order[i]] != ids[order[i - 1]];
  Tensor unique = Tensor::empty({count}, DType::i32);
  Tensor sums = Tensor::zeros({count, rows_.cols()}, rows_.dtype());
  with_real("gradient", rows_.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows<T> to = sums.mutable_view<T>();
    const Rows<const T> from = rows_.view<T>();
    Dim at = -1;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || ids[order[i]] != ids[order[i - 1]]) {
        unique.mutable_data<std::int32_t>()[++at] = ids[order[i]];
      }
      for (Dim c = 0; c < from.cols; ++c) to[at][c] += from[order[i]][c];
    }
  });
  ids_ = std::move(unique);
  rows_ = std::move(sums);
}

Tensor Gradient::dense() const {
  if (!factors_.empty()) {
    Gradient settled = *this;
    settled.settle();
    return settled.dense();
  }
  if (!is_by_rows()) return dense_;
  Tensor whole = Tensor::zeros(shape_, rows_.dtype());
  scatter_add(whole, ids_, rows_);
  return whole;
}

void Gradient::add(Gradient other) {
  FOVEA_CHECK(factors_.empty() || other.factors_.empty() || multiply_ == other.multiply_,
              "gradient: factors of different products");
  if (!other.factors_.empty()) multiply_ = other.multiply_;
  for (auto& factors : other.factors_) factors_.push_back(std::move(factors));
  if (!other.dense_.defined() && !other.is_by_rows()) return;
  if (!dense_.defined() && !is_by_rows()) {
    dense_ = std::move(other.dense_);
    shape_ = other.shape_;
    ids_ = std::move(other.ids_);
    rows_ = std::move(other.rows_);
  } else if (is_by_rows() && other.is_by_rows()) {
    const Dim count = ids_.size() + other.ids_.size();
    rows_ = joined(rows_, other.rows_, {count, rows_.cols()});
    ids_ = joined(ids_, other.ids_, {count});
  } else {
    if (is_by_rows()) {
      std::swap(dense_, other.dense_);
      std::swap(ids_, other.ids_);
      std::swap(rows_, other.rows_);
    }
    if (!dense_.unique()) dense_ = dense_.clone();
    if (other.is_by_rows()) {
      scatter_add(dense_, other.ids_, other.rows_);
    } else {
      add_to(dense_, other.dense_);
    }
  }
}

void Gradient::scale(double factor) {
  settle();
  Tensor& x = is_by_rows() ? rows_ : dense_;
  if (!x.defined()) return;
  if (!x.unique()) x = x.clone();  // the gradient of a sum is shared by both of its inputs
  with_real("gradient", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* values = x.mutable_data<T>();
    parallel_for(x.size(), 1 << 15, [&](Dim begin, Dim end) {
      for (Dim i = begin; i < end; ++i) values[i] *= static_cast<T>(factor);
    });
  });
}

}  // namespace fovea
