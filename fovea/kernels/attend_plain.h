/// Attention as the formulas say it: the twin that the vector code is tested against, and the path
/// of double precision.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "fovea/kernels/attend_shape.h"

namespace fovea::kernels::plain {

template <class T>
T dot(const T* x, const T* y, Dim count) {
  T sum = 0;
  for (Dim c = 0; c < count; ++c) sum += x[c] * y[c];
  return sum;
}

template <class T>
void add_scaled(T factor, const T* x, T* y, Dim count) {
  for (Dim c = 0; c < count; ++c) y[c] += factor * x[c];
}

/// One sequence and one head of it.
template <class T>
struct AttendHead {
  const AttendOptions<T>& options;
  AttendSequence sequence;
  Dim head;
  Rows<const T> q, k, v;  // the rows of this sequence, the columns of this head
  AttendDrop drop;

  AttendHead(const AttendInput<T>& in, const AttendOptions<T>& o, Dim s, Dim h)
      : options(o), sequence(attend_sequence(in, s)), head(h), drop(o.drop) {
    q = queries_of(in.q);
    k = keys_of(in.k);
    v = keys_of(in.v);
  }

  /// This head's part of a matrix with a row for each query of the batch.
  template <class U>
  Rows<U> queries_of(Rows<U> all) const {
    const Dim cols = all.cols / options.heads;
    return all.range(sequence.first_query, sequence.first_query + sequence.queries)
        .columns(head * cols, (head + 1) * cols);
  }
  /// The same for a row for each key.
  template <class U>
  Rows<U> keys_of(Rows<U> all) const {
    const Dim cols = all.cols / options.kv_heads, group = head * options.kv_heads / options.heads;
    return all.range(sequence.key_row, sequence.key_row + sequence.keys)
        .columns(group * cols, (group + 1) * cols);
  }
  Dim lse_index(Dim i) const { return (sequence.first_query + i) * options.heads + head; }

  Reach reach(Dim i) const { return reach_of(options, sequence.position(i), sequence.keys); }
  Dim distance_of(Dim i, Dim j, Dim distances) const {
    return distance_index(j - sequence.position(i), distances);
  }
  /// The row of a table of relations for query i and key j.
  template <class U>
  U* related(Rows<U> table, Dim i, Dim j) const {
    return table[distance_of(i, j, table.rows)];
  }
  T score(Dim i, Dim j) const {
    T sum = dot(q[i], k[j], q.cols);
    if (options.relation.keys.data) sum += dot(q[i], related(options.relation.keys, i, j), q.cols);
    sum *= options.scale;
    return options.bias.data ? sum + options.bias[head][distance_of(i, j, options.bias.cols)] : sum;
  }
  /// What dropout multiplies the weight by.
  T kept(Dim i, Dim j) const {
    if (drop.limit == 0) return 1;
    const bool kept = drop.kept(options.draws, sequence.index, head, i, j);
    return kept ? static_cast<T>(drop.keep) : T(0);
  }
};

/// The weights of query i, zero out of reach; the return value is its log-sum-exp.
template <class T>
T attend_row(const AttendHead<T>& a, Dim i, std::vector<T>& weights) {
  constexpr T lowest = -std::numeric_limits<T>::infinity();
  const Reach reach = a.reach(i);
  weights.assign(static_cast<std::size_t>(a.sequence.keys), 0);
  T largest = lowest, sum = 0;
  bool nan = false;
  for (Dim j = reach.begin; j < reach.end; ++j) {
    weights[j] = a.score(i, j);
    largest = std::max(largest, weights[j]);
    nan = nan || std::isnan(weights[j]);
  }
  if (largest == lowest && !nan) {
    for (Dim j = reach.begin; j < reach.end; ++j) weights[j] = 0;
    return lowest;
  }
  for (Dim j = reach.begin; j < reach.end; ++j) sum += weights[j] = std::exp(weights[j] - largest);
  for (Dim j = reach.begin; j < reach.end; ++j) weights[j] /= sum;
  return largest + std::log(sum);
}

/// Keys in reach of query i, the k of largest weight first.
template <class T>
void capture_top(const AttendHead<T>& a, Dim i, const std::vector<T>& weights, Dim top,
                 T* to_weights, std::int32_t* to_keys) {
  std::fill_n(to_weights, top, T(0));
  std::fill_n(to_keys, top, -1);
  const Reach reach = a.reach(i);
  std::vector<Dim> order;
  for (Dim j = reach.begin; j < reach.end; ++j) order.push_back(j);
  std::stable_sort(order.begin(), order.end(),
                   [&](Dim x, Dim y) { return weights[x] > weights[y]; });
  for (Dim n = 0; n < std::min<Dim>(top, static_cast<Dim>(order.size())); ++n) {
    to_keys[n] = static_cast<std::int32_t>(order[n]);
    to_weights[n] = weights[order[n]];
  }
}

/// Row i of the n-th chosen head.
template <class T>
void capture_row(const Capture<T>& capture, const std::vector<Dim>& offsets, const AttendHead<T>& a,
                 Dim n, Dim i, const std::vector<T>& weights) {
  const Dim keys = a.sequence.keys, heads = static_cast<Dim>(capture.heads.size());
  const Reach chosen = captured_queries(capture, a.sequence.queries);
  if (i < chosen.begin || i >= chosen.end) return;
  if (capture.kind == CaptureKind::received) {
    for (Dim j = 0; j < keys; ++j) {
      capture.weights[(a.sequence.first_key + j) * heads + n] += weights[j];
    }
    return;
  }
  const Dim begin = offsets[a.sequence.index];
  if (capture.kind == CaptureKind::all) {
    const Dim row = n * (chosen.end - chosen.begin) + i - chosen.begin;
    std::copy(weights.begin(), weights.end(), capture.weights + begin + row * keys);
  } else {
    const Dim at = begin + ((i - chosen.begin) * heads + n) * capture.top;
    capture_top(a, i, weights, capture.top, capture.weights + at, capture.keys + at);
  }
}

template <class T>
void attend(const AttendInput<T>& in, const AttendOptions<T>& o, Rows<T> out, T* lse,
            const Capture<T>* capture) {
  check_attend<T>(in, o, out);
  std::vector<Dim> offsets;
  if (capture) {
    check_capture(*capture, o.heads);
    offsets = capture_offsets(*capture, in.q_offsets, in.k_offsets);
  }
  if (capture && capture->kind == CaptureKind::received) {
    std::fill_n(capture->weights, capture_size(*capture, in.q_offsets, in.k_offsets), T(0));
  }
  std::vector<T> weights;
  for (Dim s = 0; s < sequence_count(in); ++s) {
    for (Dim h = 0; h < o.heads; ++h) {
      const AttendHead<T> a(in, o, s, h);
      const Rows<T> y = a.queries_of(out);
      for (Dim i = 0; i < a.q.rows; ++i) {
        lse[a.lse_index(i)] = attend_row(a, i, weights);
        if (capture) {
          for (std::size_t n = 0; n < capture->heads.size(); ++n) {
            if (capture->heads[n] == h) {
              capture_row(*capture, offsets, a, static_cast<Dim>(n), i, weights);
            }
          }
        }
        std::fill_n(y[i], y.cols, T(0));
        for (Dim j = 0; j < a.k.rows; ++j) {
          const T w = weights[j] == 0 ? T(0) : weights[j] * a.kept(i, j);
          add_scaled(w, a.v[j], y[i], y.cols);
          if (o.relation.values.data) {
            add_scaled(w, a.related(o.relation.values, i, j), y[i], y.cols);
          }
        }
      }
    }
  }
}

/// The share that one head of one sequence has in all gradients.
template <class T>
void attend_head_backward(const AttendHead<T>& a, Rows<const T> y, const T* lse, Rows<const T> dy,
                          const AttendGradients<T>& gradients) {
  const Rows<T> dq = a.queries_of(gradients.q), dk = a.keys_of(gradients.k),
                dv = a.keys_of(gradients.v);
  const AttendRelation<const T>& relation = a.options.relation;
  const AttendRelation<T>& drelation = gradients.relation;
  for (Dim i = 0; i < a.q.rows; ++i) {
    const T log_sum = lse[a.lse_index(i)];
    if (log_sum == -std::numeric_limits<T>::infinity()) continue;
    const T shared = dot(dy[i], y[i], y.cols);
    const Reach reach = a.reach(i);
    for (Dim j = reach.begin; j < reach.end; ++j) {
      const T w = std::exp(a.score(i, j) - log_sum), kept = a.kept(i, j);
      T dw = dot(dy[i], a.v[j], y.cols);
      if (relation.values.data) dw += dot(dy[i], a.related(relation.values, i, j), y.cols);
      const T ds = w * (kept * dw - shared), scaled = a.options.scale * ds;
      add_scaled(w * kept, dy[i], dv[j], y.cols);
      add_scaled(scaled, a.k[j], dq[i], a.q.cols);
      add_scaled(scaled, a.q[i], dk[j], a.q.cols);
      if (gradients.bias.data) {
        gradients.bias[a.head][a.distance_of(i, j, gradients.bias.cols)] += ds;
      }
      if (relation.keys.data) add_scaled(scaled, a.related(relation.keys, i, j), dq[i], a.q.cols);
      if (drelation.keys.data) {
        add_scaled(scaled, a.q[i], a.related(drelation.keys, i, j), a.q.cols);
        add_scaled(w * kept, dy[i], a.related(drelation.values, i, j), y.cols);
      }
    }
  }
}

template <class T>
void attend_backward(const AttendInput<T>& in, const AttendOptions<T>& o, Rows<const T> out,
                     const T* lse, Rows<const T> dout, const AttendGradients<T>& gradients) {
  check_attend<T>(in, o, out);
  for (const Rows<T>& d : {gradients.q, gradients.k, gradients.v}) {
    for (Dim r = 0; r < d.rows; ++r) std::fill_n(d[r], d.cols, T(0));
  }
  for (Dim s = 0; s < sequence_count(in); ++s) {
    for (Dim h = 0; h < o.heads; ++h) {
      const AttendHead<T> a(in, o, s, h);
      attend_head_backward(a, a.queries_of(out), lse, a.queries_of(dout), gradients);
    }
  }
}

}  // namespace fovea::kernels::plain
