#include "fovea/ops/attend.h"

#include <cmath>

namespace fovea {
namespace op {

void AttendCore::check(std::string_view op) const {
  const Dim heads = config.heads, kv_heads = config.kv_heads;
  FOVEA_CHECK(heads >= 1 && kv_heads >= 1 && heads % kv_heads == 0, op, ": ", heads,
              " heads cannot share ", kv_heads, " heads of keys and values");
  FOVEA_CHECK(q.dtype() == k.dtype() && q.dtype() == v.dtype(), op, ": q is ", q.dtype(), ", k ",
              k.dtype(), ", v ", v.dtype());
  FOVEA_CHECK(q.rows() == q_segments.rows(), op, ": ", q.rows(),
              " rows of queries, but segments of ", q_segments.rows());
  FOVEA_CHECK((k_rows.defined() || k.rows() == k_segments.rows()) && v.rows() == k.rows(), op, ": ",
              k.rows(), " rows of keys and ", v.rows(), " of values, but segments of ",
              k_segments.rows());
  FOVEA_CHECK(q_segments.count() == k_segments.count(), op, ": ", q_segments.count(),
              " sequences of queries, ", k_segments.count(), " of keys");
  FOVEA_CHECK(config.drop >= 0 && config.drop < 1, op, ": dropout of ", config.drop,
              "; expected at least 0 and below 1");
  if (const Tensor& bias = distances.bias; bias.defined()) {
    FOVEA_CHECK(bias.rows() == heads && bias.cols() % 2 == 1 && bias.dtype() == q.dtype(), op,
                ": a bias of shape ", bias.shape(), " ", bias.dtype(), "; expected (", heads,
                ", 2R+1) ", q.dtype());
  }
  const Tensor &keys = distances.key_relation, &values = distances.value_relation;
  FOVEA_CHECK(keys.defined() == values.defined(), op,
              ": relations are given for keys and values, or for neither");
  if (keys.defined()) {
    FOVEA_CHECK(
        keys.rows() % 2 == 1 && keys.rows() == values.rows() && keys.cols() == head &&
            values.cols() == v_head && keys.dtype() == q.dtype() && values.dtype() == q.dtype(),
        op, ": relations of shape ", keys.shape(), " ", keys.dtype(), " and ", values.shape(), " ",
        values.dtype(), "; expected (2R+1, ", head, ") and (2R+1, ", v_head, ") ", q.dtype());
  }
}

namespace {

template <class T>
Rows<const T> view_if_defined(const Tensor& t) {
  return t.defined() ? t.view<T>() : Rows<const T>();
}
template <class T>
Rows<T> mutable_view_if_defined(Tensor& t) {
  return t.defined() ? t.mutable_view<T>() : Rows<T>();
}

}  // namespace

template <class T>
kernels::AttendInput<T> AttendCore::input() const {
  const Dim heads = config.heads, kv_heads = config.kv_heads;
  return {.q = q.view<T>().columns(q_begin, q_begin + heads * head),
          .k = k.view<T>().columns(k_begin, k_begin + kv_heads * head),
          .v = v.view<T>().columns(v_begin, v_begin + kv_heads * v_head),
          .q_offsets = q_segments.offsets(),
          .k_offsets = k_segments.offsets(),
          .k_rows = k_rows.defined() ? k_rows.span<Dim>() : std::span<const Dim>(),
          .q_places = config.places.defined() ? config.places.span<Dim>() : std::span<const Dim>()};
}

template <class T>
kernels::AttendOptions<T> AttendCore::options() const {
  const double scale = config.scale != 0 ? config.scale
                       : head > 0        ? 1 / std::sqrt(static_cast<double>(head))
                                         : 1;
  return {.heads = config.heads,
          .kv_heads = config.kv_heads,
          .scale = static_cast<T>(scale),
          .causal = config.causal,
          .window = config.window,
          .bias = view_if_defined<T>(distances.bias),
          .relation = {.keys = view_if_defined<T>(distances.key_relation),
                       .values = view_if_defined<T>(distances.value_relation)},
          .drop = static_cast<float>(config.drop),
          .draws = config.draws};
}

Tensor AttendCore::forward() {
  out = Tensor::empty({q.rows(), config.heads * v_head}, q.dtype());
  lse = Tensor::empty({q.rows(), config.heads}, q.dtype());
  with_real("attend", q.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::Capture<T> capture;
    if (config.capture) {
      AttendCapture& wanted = *config.capture;
      capture = {.kind = wanted.kind,
                 .heads = wanted.heads,
                 .first_query = wanted.first_query,
                 .end_query = wanted.end_query,
                 .top = wanted.top};
      const Dim size = kernels::capture_size(capture, q_segments.offsets(), k_segments.offsets());
      wanted.weights = Tensor::empty({size}, q.dtype());
      capture.weights = wanted.weights.template mutable_data<T>();
      if (wanted.kind == kernels::CaptureKind::top) {
        wanted.keys = Tensor::empty({size}, DType::i32);
        capture.keys = wanted.keys.template mutable_data<std::int32_t>();
      }
    }
    kernels::attend(input<T>(), options<T>(), out.mutable_view<T>(), lse.mutable_data<T>(),
                    config.capture ? &capture : nullptr);
  });
  config.capture = nullptr;  // it belongs to the caller and may be gone when we go backward
  return out;
}

void AttendCore::backward(const Tensor& dy, Tensor& dq, Tensor& dk, Tensor& dv,
                          DistanceTables& ddistances) const {
  with_real("attend", q.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Dim heads = config.heads, kv_heads = config.kv_heads;
    kernels::attend_backward(
        input<T>(), options<T>(), out.view<T>(), lse.data<T>(), dy.view<T>(),
        {.q = dq.mutable_view<T>().columns(q_begin, q_begin + heads * head),
         .k = dk.mutable_view<T>().columns(k_begin, k_begin + kv_heads * head),
         .v = dv.mutable_view<T>().columns(v_begin, v_begin + kv_heads * v_head),
         .bias = mutable_view_if_defined<T>(ddistances.bias),
         .relation = {.keys = mutable_view_if_defined<T>(ddistances.key_relation),
                      .values = mutable_view_if_defined<T>(ddistances.value_relation)}});
  });
}

namespace {

Tensor like(const Tensor& t) { return Tensor::empty(t.shape(), t.dtype()); }
Tensor zeros_if(bool wanted, const Tensor& t) {
  return wanted && t.defined() ? Tensor::zeros(t.shape(), t.dtype()) : Tensor();
}

/// Room for the gradients of the tables, of which the first is input number `first`.
DistanceTables zeros_for(const DistanceTables& tables, Needs needs, std::size_t first) {
  const bool relation = needs[first + 1] || needs[first + 2];
  return {.bias = zeros_if(needs[first], tables.bias),
          .key_relation = zeros_if(relation, tables.key_relation),
          .value_relation = zeros_if(relation, tables.value_relation)};
}

}  // namespace

Tensor Attend::forward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& bias,
                       const Tensor& key_relation, const Tensor& value_relation) {
  core.q = q, core.k = k, core.v = v;
  core.distances = {bias, key_relation, value_relation};
  const Dim heads = core.config.heads, kv_heads = core.config.kv_heads;
  FOVEA_CHECK(heads >= 1 && kv_heads >= 1 && q.cols() % heads == 0 && v.cols() % kv_heads == 0 &&
                  k.cols() == q.cols() / heads * kv_heads,
              name, ": q ", q.shape(), ", k ", k.shape(), ", v ", v.shape(), " do not fit ", heads,
              " heads of queries and ", kv_heads, " of keys and values");
  core.head = q.cols() / heads;
  core.v_head = v.cols() / kv_heads;
  core.check(name);
  return core.forward();
}

std::array<Tensor, 6> Attend::backward(const Tensor& dy, Needs needs) const {
  Tensor dq = like(core.q), dk = like(core.k), dv = like(core.v);
  DistanceTables d = zeros_for(core.distances, needs, 3);
  core.backward(dy, dq, dk, dv, d);
  return {dq, dk, dv, d.bias, d.key_relation, d.value_relation};
}

Tensor AttendPacked::forward(const Tensor& qkv, const Tensor& bias, const Tensor& key_relation,
                             const Tensor& value_relation) {
  core.q = core.k = core.v = qkv;
  core.distances = {bias, key_relation, value_relation};
  const Dim heads = core.config.heads, kv_heads = core.config.kv_heads;
  FOVEA_CHECK(heads >= 1 && kv_heads >= 1 && qkv.cols() % (heads + 2 * kv_heads) == 0, name, ": ",
              qkv.shape(), " does not hold ", heads, " heads of queries and ", kv_heads,
              " of keys and of values side by side");
  core.head = core.v_head = qkv.cols() / (heads + 2 * kv_heads);
  core.k_begin = heads * core.head;
  core.v_begin = (heads + kv_heads) * core.head;
  core.check(name);
  return core.forward();
}

std::array<Tensor, 4> AttendPacked::backward(const Tensor& dy, Needs needs) const {
  Tensor dqkv = like(core.q);
  DistanceTables d = zeros_for(core.distances, needs, 1);
  core.backward(dy, dqkv, dqkv, dqkv, d);
  return {dqkv, d.bias, d.key_relation, d.value_relation};
}

Tensor AttendMemory::forward(const Tensor& q, const Tensor& kv) {
  core.q = q, core.k = core.v = kv;
  const Dim heads = core.config.heads, kv_heads = core.config.kv_heads;
  FOVEA_CHECK(heads >= 1 && kv_heads >= 1 && q.cols() % heads == 0 &&
                  kv.cols() == 2 * (q.cols() / heads) * kv_heads,
              name, ": q ", q.shape(), " and (k | v) ", kv.shape(), " do not fit ", heads,
              " heads of queries and ", kv_heads, " of keys and of values");
  core.head = core.v_head = q.cols() / heads;
  core.v_begin = kv_heads * core.head;
  core.check(name);
  return core.forward();
}

std::array<Tensor, 2> AttendMemory::backward(const Tensor& dy) const {
  Tensor dq = like(core.q), dkv = like(core.k);
  DistanceTables none;
  core.backward(dy, dq, dkv, dkv, none);
  return {dq, dkv};
}

namespace {

AttendCore core_of(const Segments& q_segments, const Segments& k_segments, AttendConfig config) {
  if (config.kv_heads == 0) config.kv_heads = config.heads;
  AttendCore core;
  core.config = config;
  core.q_segments = q_segments;
  core.k_segments = k_segments;
  return core;
}

}  // namespace
}  // namespace op

Var attend(const Var& q, const Var& k, const Var& v, const Segments& q_segments,
           const Segments& k_segments, const AttendConfig& config, const ByDistance& tables) {
  return apply(op::Attend{op::core_of(q_segments, k_segments, config)}, q, k, v, tables.bias,
               tables.key_relation, tables.value_relation);
}

Var attend_packed(const Var& qkv, const Segments& segments, const AttendConfig& config,
                  const ByDistance& tables) {
  return apply(op::AttendPacked{op::core_of(segments, segments, config)}, qkv, tables.bias,
               tables.key_relation, tables.value_relation);
}

Var attend_memory(const Var& q, const Var& kv, const Segments& q_segments,
                  const Segments& k_segments, const AttendConfig& config) {
  return apply(op::AttendMemory{op::core_of(q_segments, k_segments, config)}, q, kv);
}

Tensor attend_cached(const Tensor& q, const Tensor& kv, const Segments& q_segments,
                     const Segments& k_segments, const Tensor& k_rows, const AttendConfig& config,
                     const ByDistance& tables) {
  op::AttendCore core = op::core_of(q_segments, k_segments, config);
  const Dim heads = core.config.heads, kv_heads = core.config.kv_heads;
  FOVEA_CHECK(heads >= 1 && kv_heads >= 1 && kv.cols() % (2 * kv_heads) == 0 &&
                  q.cols() >= heads * (kv.cols() / (2 * kv_heads)),
              "attend cached: q ", q.shape(), " and (k | v) ", kv.shape(), " do not fit ", heads,
              " heads of queries and ", kv_heads, " of keys and of values");
  FOVEA_CHECK(k_rows.size() == k_segments.count(), "attend cached: ", k_rows.size(), " slots for ",
              k_segments.count(), " sequences");
  core.q = q, core.k = core.v = kv, core.k_rows = k_rows;
  core.distances = {tables.bias.value(), tables.key_relation.value(),
                    tables.value_relation.value()};
  core.head = core.v_head = kv.cols() / (2 * kv_heads);
  core.v_begin = kv_heads * core.head;
  core.check("attend cached");
  return core.forward();
}

}  // namespace fovea
