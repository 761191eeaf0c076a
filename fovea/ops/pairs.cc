#include "fovea/ops/pairs.h"

#include <algorithm>

#include "fovea/base/threads.h"

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
  for (Dim s = 0; s < queries.count(); ++s) {
    for (Dim i = 0; i < queries.length(s); ++i) {
      const auto [first, last] = range(s, i);
      const Dim place = i + keys.length(s) - queries.length(s);
      Dim pair = by_query[queries.begin(s) + i];
      for (Dim j = first; j < last; ++j, ++pair) {
        pairs.query.mutable_data<std::int32_t>()[pair] =
            static_cast<std::int32_t>(queries.begin(s) + i);
        pairs.key.mutable_data<std::int32_t>()[pair] = static_cast<std::int32_t>(keys.begin(s) + j);
        pairs.distance.mutable_data<std::int32_t>()[pair] = static_cast<std::int32_t>(j - place);
      }
    }
  }
  return pairs;
}

namespace op {
namespace {

/// body(pair, query row, key row), sequence by sequence on all threads: a sequence owns its queries
/// and keys, so gradients of both can be added to without a race and in the order of pairs.
/// `columns` is what a pair costs.
template <class Body>
void for_each_pair(const Pairs& pairs, Dim columns, Body&& body) {
  constexpr Dim worth_a_thread = 1 << 15;
  const Dim sequences = pairs.of_sequence.count();
  const Dim grain = 1 + worth_a_thread * sequences / (1 + pairs.count() * columns);
  const std::int32_t* query = pairs.query.data<std::int32_t>();
  const std::int32_t* key = pairs.key.data<std::int32_t>();
  parallel_for(sequences, grain, [&](Dim begin, Dim end) {
    const Dim last = pairs.of_sequence.begin(end);
    for (Dim p = pairs.of_sequence.begin(begin); p < last; ++p) body(p, query[p], key[p]);
  });
}

template <class T>
T dot(const T* a, const T* b, Dim n) {
  T sum = 0;
  for (Dim i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

template <class T>
void axpy(T a, const T* x, T* y, Dim n) {
  for (Dim i = 0; i < n; ++i) y[i] += a * x[i];
}

Tensor zeros_if(bool wanted, const Tensor& t) {
  return wanted ? Tensor::zeros(t.shape(), t.dtype()) : Tensor();
}

}  // namespace

Tensor PairDot::forward(const Tensor& queries, const Tensor& keys) {
  q = queries, k = keys;
  FOVEA_CHECK(q.rows() == pairs.query_rows() && k.rows() == pairs.key_rows, name, ": q ", q.shape(),
              " and k ", k.shape(), "; the pairs are of ", pairs.query_rows(), " queries and ",
              pairs.key_rows, " keys");
  FOVEA_CHECK(heads >= 1 && q.cols() == k.cols() && q.cols() % heads == 0 && q.dtype() == k.dtype(),
              name, ": q ", q.shape(), " ", q.dtype(), " and k ", k.shape(), " ", k.dtype(),
              " do not fit ", heads, " heads");
  Tensor scores = Tensor::empty({pairs.count(), heads}, q.dtype());
  with_real(name, q.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Dim head = q.cols() / heads;
    const Rows<const T> from = q.view<T>(), to = k.view<T>();
    const Rows<T> s = scores.mutable_view<T>();
    for_each_pair(pairs, q.cols(), [&](Dim p, Dim i, Dim j) {
      for (Dim h = 0; h < heads; ++h) s[p][h] = dot(from[i] + h * head, to[j] + h * head, head);
    });
  });
  return scores;
}

std::array<Tensor, 2> PairDot::backward(const Tensor& ds, Needs needs) const {
  Tensor dq = zeros_if(needs[0], q), dk = zeros_if(needs[1], k);
  with_real(name, q.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Dim head = q.cols() / heads;
    const Rows<const T> s = ds.view<T>(), from = q.view<T>(), to = k.view<T>();
    for_each_pair(pairs, q.cols(), [&](Dim p, Dim i, Dim j) {
      for (Dim h = 0; h < heads; ++h) {
        const Dim at = h * head;
        if (dq.defined()) axpy(s[p][h], to[j] + at, dq.mutable_view<T>()[i] + at, head);
        if (dk.defined()) axpy(s[p][h], from[i] + at, dk.mutable_view<T>()[j] + at, head);
      }
    });
  });
  return {dq, dk};
}

Tensor PairRead::forward(const Tensor& weights, const Tensor& values) {
  w = weights, v = values;
  FOVEA_CHECK(w.rows() == pairs.count() && v.rows() == pairs.key_rows, name, ": w ", w.shape(),
              " and v ", v.shape(), "; there are ", pairs.count(), " pairs of ", pairs.key_rows,
              " keys");
  FOVEA_CHECK(w.cols() >= 1 && v.cols() % w.cols() == 0 && w.dtype() == v.dtype(), name, ": v ",
              v.shape(), " ", v.dtype(), " does not fit ", w.cols(), " heads of ", w.dtype());
  Tensor y = Tensor::zeros({pairs.query_rows(), v.cols()}, v.dtype());
  with_real(name, v.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Dim heads = w.cols(), head = v.cols() / heads;
    const Rows<const T> weight = w.view<T>(), value = v.view<T>();
    const Rows<T> out = y.mutable_view<T>();
    for_each_pair(pairs, v.cols(), [&](Dim p, Dim i, Dim j) {
      for (Dim h = 0; h < heads; ++h)
        axpy(weight[p][h], value[j] + h * head, out[i] + h * head, head);
    });
  });
  return y;
}

std::array<Tensor, 2> PairRead::backward(const Tensor& dy, Needs needs) const {
  Tensor dw = zeros_if(needs[0], w), dv = zeros_if(needs[1], v);
  with_real(name, v.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Dim heads = w.cols(), head = v.cols() / heads;
    const Rows<const T> weight = w.view<T>(), value = v.view<T>(), out = dy.view<T>();
    for_each_pair(pairs, v.cols(), [&](Dim p, Dim i, Dim j) {
      for (Dim h = 0; h < heads; ++h) {
        const Dim at = h * head;
        if (dw.defined()) dw.mutable_view<T>()[p][h] = dot(out[i] + at, value[j] + at, head);
        if (dv.defined()) axpy(weight[p][h], out[i] + at, dv.mutable_view<T>()[j] + at, head);
      }
    });
  });
  return {dw, dv};
}

}  // namespace op
}  // namespace fovea
