#include "fovea/attention/multi_head.h"

#include <cmath>

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/nn/positions.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

Dim kv_heads_of(const AttentionConfig& c) { return c.kv_heads == 0 ? c.heads : c.kv_heads; }

const AttentionConfig& checked(const AttentionConfig& c) {
  FOVEA_CHECK(c.heads >= 1 && c.width % c.heads == 0, ErrorKind::bad_setting,
              "attention: ", c.heads, " heads do not divide a width of ", c.width);
  FOVEA_CHECK(c.heads % kv_heads_of(c) == 0, ErrorKind::bad_setting, "attention: ", c.heads,
              " heads cannot share ", c.kv_heads, " heads of keys");
  return c;
}

/// Columns of all heads of keys.
Dim key_width(const AttentionConfig& c) { return c.width / c.heads * kv_heads_of(c); }

/// Several square matrices drawn as one, each with the spread that it would have alone.
LinearConfig joined(const AttentionConfig& c, Dim in, Dim out) {
  const double alone = static_cast<double>(in + c.width), together = static_cast<double>(in + out);
  return {.bias = c.bias, .init = init::xavier(std::sqrt(together / alone))};
}

AttendConfig attend_config(const AttentionConfig& c, const Pass& pass) {
  const bool drops = pass.rng && c.dropout > 0;
  return {.heads = c.heads,
          .kv_heads = kv_heads_of(c),
          .causal = c.causal,
          .window = c.window,
          .drop = drops ? c.dropout : 0,
          .draws = drops ? pass.rng->next() : Draws()};
}

/// run(config), watched by the probe if there is one.
template <class Run>
Var watched(const std::string& name, const AttendConfig& config, const Segments& queries,
            const Segments& keys, const Pass& pass, const Run& run) {
  if (!pass.probe) return run(config);
  return pass.probe->watch(name, config.heads, queries, keys, [&](AttendCapture* capture) {
    AttendConfig with = config;
    with.capture = capture;
    return run(with);
  });
}

void check_no_tape(const std::string& name, const Var& x) {
  FOVEA_CHECK(!x.needs_gradient(), name, ": a cache is not trained through; decode under NoTape");
}

}  // namespace

// For a number of heads that is no power of two, the slopes of the next lower one and then every
// other one of the next higher: Press et al. 2022, their published code.
Tensor alibi_bias(Dim heads, Dim reach, DType dtype) {
  std::vector<double> slopes;
  Dim power = 1;
  while (2 * power <= heads) power *= 2;
  for (Dim h = 1; h <= power; ++h) {
    slopes.push_back(std::exp2(-8.0 * static_cast<double>(h) / static_cast<double>(power)));
  }
  for (Dim h = 1; static_cast<Dim>(slopes.size()) < heads; h += 2) {
    slopes.push_back(std::exp2(-4.0 * static_cast<double>(h) / static_cast<double>(power)));
  }
  Tensor table = Tensor::empty({heads, 2 * reach + 1}, dtype);
  with_real("alibi", dtype, [&](auto zero) {
    using T = decltype(zero);
    for (Dim h = 0; h < heads; ++h) {
      for (Dim d = -reach; d <= reach; ++d) {
        table.mutable_view<T>()[h][d + reach] =
            static_cast<T>(-slopes[static_cast<std::size_t>(h)] * static_cast<double>(std::abs(d)));
      }
    }
  });
  return table;
}

SelfAttention::SelfAttention(Scope s, const AttentionConfig& c)
    : name(s.name()),
      config(checked(c)),
      qkv(s / "qkv", c.width, c.width + 2 * key_width(c),
          joined(c, c.width, c.width + 2 * key_width(c))),
      out(s / "out", c.width, c.width, {.bias = c.bias}) {
  if (c.distance == DistanceBias::learned) {
    distances.bias = s.param("distance_bias", {c.heads, 2 * c.reach + 1}, init::zeros());
  }
  if (c.distance == DistanceBias::relation) {
    const Shape shape = {2 * c.reach + 1, c.width / c.heads};
    distances.key_relation = s.param("key_relation", shape, init::xavier());
    distances.value_relation = s.param("value_relation", shape, init::xavier());
  }
}

ByDistance SelfAttention::told(Dim longest, DType dtype) const {
  if (config.distance != DistanceBias::alibi) return distances;
  return {.bias = alibi_bias(config.heads, longest, dtype)};
}

Var SelfAttention::operator()(const Var& x, const Segments& segments, const Pass& pass) const {
  Var rows = qkv(x);  // (N, W + 2 G D)
  if (config.rope) {
    std::vector<Dim> seen(static_cast<std::size_t>(segments.count()), 0);
    for (Dim s = 0; pass.cache && s < segments.count(); ++s) {
      seen[static_cast<std::size_t>(s)] = pass.cache->length(name, s);
    }
    rows = rope(rows, positions_of(segments, seen),
                {.width = config.width / config.heads,
                 .heads = config.heads + kv_heads_of(config),
                 .base = config.rope->base,
                 .layout = config.rope->layout});
  }
  const AttendConfig attend = attend_config(config, pass);
  if (pass.cache) return out(cached(rows, segments, attend, pass));
  return out(watched(name, attend, segments, segments, pass, [&](const AttendConfig& with) {
    return attend_packed(rows, segments, with, told(segments.longest(), x.dtype()));
  }));
}

Var SelfAttention::cached(const Var& rows, const Segments& segments, const AttendConfig& attend,
                          const Pass& pass) const {
  check_no_tape(name, rows);
  const CachedKeys keys =
      pass.cache->extend(name, rows.value(), config.width, rows.cols(), segments);
  return watched(name, attend, segments, keys.sequences, pass,
                 [&](const AttendConfig& with) -> Var {
                   return attend_cached(rows.value(), keys.kv, segments, keys.sequences, keys.rows,
                                        with, told(keys.sequences.longest(), rows.dtype()));
                 });
}

CrossAttention::CrossAttention(Scope s, const AttentionConfig& c)
    : name(s.name()),
      config(checked(c)),
      query(s / "query", c.width, c.width, {.bias = c.bias}),
      memory(s / "memory", c.memory_width == 0 ? c.width : c.memory_width, 2 * key_width(c),
             joined(c, c.memory_width == 0 ? c.width : c.memory_width, 2 * key_width(c))),
      out(s / "out", c.width, c.width, {.bias = c.bias}) {
  FOVEA_CHECK(c.distance == DistanceBias::none && !c.rope, name,
              ": a memory has no distance from the rows that look at it");
}

Var CrossAttention::operator()(const Var& x, const Segments& segments, const Memory& seen,
                               const Pass& pass) const {
  const Var q = query(x);  // (N, W)
  AttendConfig attend = attend_config(config, pass);
  attend.causal = seen.places.defined();
  attend.places = seen.places;
  if (!pass.cache) {
    const Var kv = memory(seen.rows);  // (M, 2 G D)
    return out(watched(name, attend, segments, seen.segments, pass, [&](const AttendConfig& with) {
      return attend_memory(q, kv, segments, seen.segments, with);
    }));
  }
  check_no_tape(name, q);
  const CachedKeys keys =
      pass.cache->memory(name, seen.segments, [&] { return memory(seen.rows).value(); });
  return out(
      watched(name, attend, segments, keys.sequences, pass, [&](const AttendConfig& with) -> Var {
        return attend_cached(q.value(), keys.kv, segments, keys.sequences, keys.rows, with);
      }));
}

Var CrossAttention::weights(const Var& x, const Var& seen_rows, const Pairs& pairs,
                            Dim head) const {
  const Dim depth = config.width / config.heads;
  const Dim kv_head = head * kv_heads_of(config) / config.heads;
  const Var q = columns(query(x), head * depth, (head + 1) * depth);                 // (N, D)
  const Var k = columns(memory(seen_rows), kv_head * depth, (kv_head + 1) * depth);  // (M, D)
  const Var scores = scale(pair_dot(q, k, pairs, 1), 1 / std::sqrt(static_cast<double>(depth)));
  return segment_softmax(scores, pairs.of_query);
}

}  // namespace fovea
