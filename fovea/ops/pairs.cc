#include "fovea/ops/pairs.h"

#include <algorithm>

#include "fovea/kernels/pairs.h"

namespace fovea {

Pairs pairs_in_reach(const Segments& queries, const Segments& keys, const Reach& reach) {
  FOVEA_CHECK(queries.count() == keys.count(), "pairs: ", queries.count(),
              " sequences of queries, ", keys.count(), " of keys");
  // Query i of sequence s reaches the keys [first, last) of it.
  const auto range = [&](Dim s, Dim i) {
    const Dim length = keys.length(s), place = i + length - queries.length(s);
    Dim first = 0, last = length;
    if (reach.causal) last = std::min(last, place + 1);
    if (reach.window >= 0) {
      first = std::max(first, place - reach.window);
      last = std::min(last, place + reach.window + 1);
    }
    return std::pair(first, std::max(first, last));
  };
  Tensor query_offsets = Tensor::empty({queries.rows() + 1}, DType::i64);
  Tensor sequence_offsets = Tensor::empty({queries.count() + 1}, DType::i64);
  Dim* by_query = query_offsets.mutable_data<Dim>();
  Dim* by_sequence = sequence_offsets.mutable_data<Dim>();
  by_query[0] = by_sequence[0] = 0;
  for (Dim s = 0; s < queries.count(); ++s) {
    for (Dim i = 0; i < queries.length(s); ++i) {
      const auto [first, last] = range(s, i);
      const Dim row = queries.begin(s) + i;
      by_query[row + 1] = by_query[row] + last - first;
    }
    by_sequence[s + 1] = by_query[queries.end(s)];
  }
  Pairs pairs{.query = Tensor::empty({by_query[queries.rows()]}, DType::i32),
              .key = Tensor::empty({by_query[queries.rows()]}, DType::i32),
              .distance = Tensor::empty({by_query[queries.rows()]}, DType::i32),
              .of_query = Segments::of_offsets(query_offsets.span<Dim>()),
              .of_sequence = Segments::of_offsets(sequence_offsets.span<Dim>()),
              .key_rows = keys.rows()};
  std::int32_t* query = pairs.query.mutable_data<std::int32_t>();
  std::int32_t* key = pairs.key.mutable_data<std::int32_t>();
  std::int32_t* distance = pairs.distance.mutable_data<std::int32_t>();
  for (Dim s = 0; s < queries.count(); ++s) {
    for (Dim i = 0; i < queries.length(s); ++i) {
      const auto [first, last] = range(s, i);
      const Dim place = i + keys.length(s) - queries.length(s);
      for (Dim j = first; j < last; ++j) {
        *query++ = static_cast<std::int32_t>(queries.begin(s) + i);
        *key++ = static_cast<std::int32_t>(keys.begin(s) + j);
        *distance++ = static_cast<std::int32_t>(j - place);
      }
    }
  }
  return pairs;
}

Pairs pairs_by_distance(Pairs pairs, Dim reach) {
  pairs.key = Tensor::empty({pairs.count()}, DType::i32);
  pairs.key_rows = 2 * reach + 1;
  pairs.of_sequence = Segments::of_lengths({pairs.count()});  // all of them share the table
  for (Dim p = 0; p < pairs.count(); ++p) {
    const Dim distance = pairs.distance.data<std::int32_t>()[p];
    pairs.key.mutable_data<std::int32_t>()[p] =
        static_cast<std::int32_t>(std::clamp(distance, -reach, reach) + reach);
  }
  return pairs;
}

PairsByKey pairs_by_key(const Pairs& pairs) {
  const auto keys = pairs.key.span<std::int32_t>();
  std::vector<Dim> begins(static_cast<std::size_t>(pairs.key_rows) + 1, 0);
  for (const std::int32_t key : keys) ++begins[static_cast<std::size_t>(key) + 1];
  for (std::size_t k = 1; k < begins.size(); ++k) begins[k] += begins[k - 1];
  PairsByKey by{.order = Tensor::empty({pairs.count()}, DType::i32),
                .place = Tensor::empty({pairs.count()}, DType::i32),
                .of_key = Segments::of_offsets(begins)};
  std::int32_t* order = by.order.mutable_data<std::int32_t>();
  std::int32_t* place = by.place.mutable_data<std::int32_t>();
  for (std::size_t p = 0; p < keys.size(); ++p) {
    place[p] = static_cast<std::int32_t>(begins[static_cast<std::size_t>(keys[p])]++);
    order[place[p]] = static_cast<std::int32_t>(p);
  }
  return by;
}

namespace op {
namespace {

kernels::PairIndex index_of(const Pairs& pairs) {
  return {.query = pairs.query.data<std::int32_t>(),
          .key = pairs.key.data<std::int32_t>(),
          .of_query = pairs.of_query.offsets(),
          .of_sequence = pairs.of_sequence.offsets()};
}

void expect_queries_and_keys(std::string_view op, const Tensor& q, const Tensor& k,
                             const Pairs& pairs) {
  FOVEA_CHECK(q.rows() == pairs.query_rows() && k.rows() == pairs.key_rows, op, ": q ", q.shape(),
              " and k ", k.shape(), "; the pairs are of ", pairs.query_rows(), " queries and ",
              pairs.key_rows, " keys");
}

Tensor zeros_like(const Tensor& t) { return Tensor::zeros(t.shape(), t.dtype()); }

// The three sums that dot products, reading and their gradients are made of; see kernels/pairs.h.

Tensor dot(const Pairs& pairs, const Tensor& a, const Tensor& b, Dim heads) {
  Tensor s = Tensor::empty({pairs.count(), heads}, a.dtype());
  with_real("pair dot", a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::pair_dot(index_of(pairs), a.view<T>(), b.view<T>(), s.mutable_view<T>());
  });
  return s;
}

Tensor read(const Pairs& pairs, const Tensor& w, const Tensor& b) {
  Tensor y = Tensor::empty({pairs.query_rows(), b.cols()}, b.dtype());
  with_real("pair read", b.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::pair_read(index_of(pairs), w.view<T>(), b.view<T>(), y.mutable_view<T>());
  });
  return y;
}

Tensor spread(const Pairs& pairs, const Tensor& w, const Tensor& a) {
  Tensor z = Tensor::zeros({pairs.key_rows, a.cols()}, a.dtype());
  with_real("pair spread", a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::pair_spread(index_of(pairs), w.view<T>(), a.view<T>(), z.mutable_view<T>());
  });
  return z;
}

}  // namespace

Tensor PairDot::forward(const Tensor& queries, const Tensor& keys) {
  q = queries, k = keys;
  expect_queries_and_keys(name, q, k, pairs);
  FOVEA_CHECK(heads >= 1 && q.cols() == k.cols() && q.cols() % heads == 0 && q.dtype() == k.dtype(),
              name, ": q ", q.shape(), " ", q.dtype(), " and k ", k.shape(), " ", k.dtype(),
              " do not fit ", heads, " heads");
  return dot(pairs, q, k, heads);
}

std::array<Tensor, 2> PairDot::backward(const Tensor& ds, Needs needs) const {
  return {needs[0] ? read(pairs, ds, k) : Tensor(), needs[1] ? spread(pairs, ds, q) : Tensor()};
}

Tensor PairRead::forward(const Tensor& weights, const Tensor& values) {
  w = weights, v = values;
  FOVEA_CHECK(w.rows() == pairs.count() && v.rows() == pairs.key_rows, name, ": w ", w.shape(),
              " and v ", v.shape(), "; there are ", pairs.count(), " pairs of ", pairs.key_rows,
              " keys");
  FOVEA_CHECK(w.cols() >= 1 && v.cols() % w.cols() == 0 && w.dtype() == v.dtype(), name, ": v ",
              v.shape(), " ", v.dtype(), " does not fit ", w.cols(), " heads of ", w.dtype());
  return read(pairs, w, v);
}

std::array<Tensor, 2> PairRead::backward(const Tensor& dy, Needs needs) const {
  return {needs[0] ? dot(pairs, dy, v, w.cols()) : Tensor(),
          needs[1] ? spread(pairs, w, dy) : Tensor()};
}

Tensor PairAdditive::forward(const Tensor& queries, const Tensor& keys, const Tensor& out) {
  q = queries, k = keys, v = out;
  expect_queries_and_keys(name, q, k, pairs);
  FOVEA_CHECK(q.cols() == k.cols() && q.cols() == v.size() && q.dtype() == k.dtype() &&
                  q.dtype() == v.dtype(),
              name, ": q ", q.shape(), " ", q.dtype(), ", k ", k.shape(), " ", k.dtype(), " and v ",
              v.shape(), " ", v.dtype(),
              "; expected one type and as many columns as v has numbers");
  Tensor s = Tensor::empty({pairs.count(), 1}, q.dtype());
  with_real(name, q.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::pair_additive(index_of(pairs), q.view<T>(), k.view<T>(), v.data<T>(),
                           s.mutable_data<T>());
  });
  return s;
}

std::array<Tensor, 3> PairAdditive::backward(const Tensor& ds) const {
  Tensor dq = zeros_like(q), dk = zeros_like(k), dv = Tensor::empty(v.shape(), v.dtype());
  with_real(name, q.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::pair_additive_backward(index_of(pairs), {.q = q.view<T>(),
                                                      .k = k.view<T>(),
                                                      .v = v.data<T>(),
                                                      .ds = ds.data<T>(),
                                                      .dq = dq.mutable_view<T>(),
                                                      .dk = dk.mutable_view<T>(),
                                                      .dv = dv.mutable_data<T>()});
  });
  return {dq, dk, dv};
}

}  // namespace op
}  // namespace fovea
