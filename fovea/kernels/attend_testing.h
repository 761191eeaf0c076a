/// For the tests of attention: one batch with all that goes in and comes out.
#pragma once

#include <vector>

#include "fovea/base/rng.h"
#include "fovea/kernels/attend.h"

namespace fovea::kernels {

template <class T>
struct AttendCase {
  AttendOptions<T> options;
  Dim head_size = 4, value_size = 4;
  Dim furthest = -1;   // of the bias table; negative: no bias
  Dim relations = -1;  // the same of relations
  std::vector<Dim> q_offsets = {0}, k_offsets = {0};
  std::vector<Dim> q_places = {};  // none: queries are the last of their keys
  std::vector<T> q, k, v, bias, key_relation, value_relation, dout;
  std::vector<T> out, lse, dq, dk, dv, dbias, dkey_relation, dvalue_relation;
  std::vector<T> weights;
  std::vector<std::int32_t> keys;

  AttendCase(const std::vector<Dim>& queries, const std::vector<Dim>& keys_of,
             AttendOptions<T> with)
      : options(with) {
    for (const Dim n : queries) q_offsets.push_back(q_offsets.back() + n);
    for (const Dim n : keys_of) k_offsets.push_back(k_offsets.back() + n);
  }

  Dim queries() const { return q_offsets.back(); }
  Dim key_rows() const { return k_offsets.back(); }

  /// Draws all input.
  void make() {
    Rng rng{.seed = 17};
    q = drawn(queries() * options.heads * head_size, rng);
    k = drawn(key_rows() * options.kv_heads * head_size, rng);
    v = drawn(key_rows() * options.kv_heads * value_size, rng);
    bias = drawn(furthest < 0 ? 0 : options.heads * (2 * furthest + 1), rng);
    key_relation = drawn(relation_rows() * head_size, rng);
    value_relation = drawn(relation_rows() * value_size, rng);
    dout = drawn(queries() * options.heads * value_size, rng);
  }

  AttendInput<T> input() const {
    return {.q = rows_of(q.data(), queries(), options.heads * head_size),
            .k = rows_of(k.data(), key_rows(), options.kv_heads * head_size),
            .v = rows_of(v.data(), key_rows(), options.kv_heads * value_size),
            .q_offsets = q_offsets,
            .k_offsets = k_offsets,
            .q_places = q_places};
  }
  Rows<T> out_rows() { return rows_of(out.data(), queries(), options.heads * value_size); }

  template <class Attend>
  void forward(Attend attend, Capture<T> capture = {}) {
    prepare();
    out.assign(queries() * options.heads * value_size, 77);
    lse.assign(queries() * options.heads, 77);
    weights.assign(capture_size(capture, q_offsets, k_offsets), 77);
    keys.assign(weights.size(), 77);
    capture.weights = weights.data();
    capture.keys = keys.data();
    attend(input(), options, out_rows(), lse.data(), capture.heads.empty() ? nullptr : &capture);
  }

  template <class Backward>
  void backward(Backward attend_backward) {
    prepare();
    dq.assign(q.size(), 77);
    dk.assign(k.size(), 77);
    dv.assign(v.size(), 77);
    dbias.assign(bias.size(), 0);
    dkey_relation.assign(key_relation.size(), 0);
    dvalue_relation.assign(value_relation.size(), 0);
    const AttendInput<T> in = input();
    attend_backward(in, options, out_rows(), lse.data(),
                    rows_of<const T>(dout.data(), queries(), options.heads * value_size),
                    {.q = rows_of(dq.data(), in.q.rows, in.q.cols),
                     .k = rows_of(dk.data(), in.k.rows, in.k.cols),
                     .v = rows_of(dv.data(), in.v.rows, in.v.cols),
                     .bias = bias_rows(dbias),
                     .relation = relation_of(dkey_relation, dvalue_relation)});
  }

 private:
  static std::vector<T> drawn(Dim size, Rng& rng) {
    const Draws draws = rng.next();
    std::vector<T> x(static_cast<std::size_t>(size));
    for (std::size_t n = 0; n < x.size(); ++n) x[n] = static_cast<T>(draws.normal(n));
    return x;
  }
  Rows<T> bias_rows(std::vector<T>& x) const {
    if (furthest < 0) return {};
    return rows_of(x.data(), options.heads, 2 * furthest + 1);
  }
  Dim relation_rows() const { return relations < 0 ? 0 : 2 * relations + 1; }
  AttendRelation<T> relation_of(std::vector<T>& keys_table, std::vector<T>& values_table) const {
    if (relations < 0) return {};
    return {rows_of(keys_table.data(), relation_rows(), head_size),
            rows_of(values_table.data(), relation_rows(), value_size)};
  }
  void prepare() {
    options.bias = bias_rows(bias);
    const AttendRelation<T> tables = relation_of(key_relation, value_relation);
    options.relation = {tables.keys, tables.values};
  }
};

}  // namespace fovea::kernels
