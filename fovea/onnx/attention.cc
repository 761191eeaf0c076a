#include "fovea/onnx/attention.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "fovea/onnx/layers.h"

namespace fovea::onnx {
namespace {

using Axes = std::vector<Dim>;

Value cast(Graph& g, const Value& x, Type to) {
  return g.node("Cast", {x}, {{"to", static_cast<Dim>(to)}});
}

Value unsqueezed(Graph& g, const Value& x, const Axes& axes) {
  return g.node("Unsqueeze", {x, g.numbers(axes)});
}

Value transposed(Graph& g, const Value& x, const Axes& order) {
  return g.node("Transpose", {x}, {{"perm", order}});
}

/// 0, 1, ..., S - 1
Value counted(Graph& g, const Batch& batch) {
  const Value zero = g.node("Squeeze", {g.numbers(Axes{0})});
  const Value one = g.node("Squeeze", {g.numbers(Axes{1})});
  const Value length = g.node("Gather", {batch.shape, one});
  return g.node("Range", {zero, length, one});
}

Dim kv_heads_of(const AttentionConfig& c) { return c.kv_heads == 0 ? c.heads : c.kv_heads; }

/// Columns of rows as heads: (N, heads D) -> (B, S, heads, D).
Value heads(Graph& g, const Batch& batch, const Value& rows, Dim count, Dim depth) {
  const Value shape =
      g.node("Concat", {batch.shape, g.numbers(Axes{count, depth})}, {{"axis", Dim{0}}});
  return g.node("Reshape", {rows, shape});
}

/// Heads of keys or values, each for all heads of queries that share it: (B, S, G, D) -> (B, S, H,
/// D).
Value shared(Graph& g, const Batch& batch, const Value& x, const AttentionConfig& c) {
  const Dim groups = kv_heads_of(c);
  if (groups == c.heads) return x;
  const Value wide =
      g.node("Expand", {unsqueezed(g, x, {3}), g.numbers(Axes{1, 1, 1, c.heads / groups, 1})});
  return heads(g, batch, wide, c.heads, c.width / c.heads);
}

/// Rotary positions, halves as pairs: ops/rope.h.
Value turned(Graph& g, const Value& x, Dim depth, const Surroundings& around) {
  const auto halves =
      g.nodes("Split", {x, g.numbers(Axes{depth / 2, depth / 2})}, 2, {{"axis", Dim{-1}}});
  const auto product = [&](const Value& a, const std::optional<Value>& b) {
    return g.node("Mul", {a, *b});
  };
  const Value first =
      g.node("Sub", {product(halves[0], around.cosines), product(halves[1], around.sines)});
  const Value second =
      g.node("Add", {product(halves[0], around.sines), product(halves[1], around.cosines)});
  return g.node("Concat", {first, second}, {{"axis", Dim{-1}}});
}

/// A row of a table for each pair of query and key: (S, S, columns).
Value by_distance(Graph& g, const Var& table, const Surroundings& around) {
  return g.node("Gather", {g.weight(table), *around.distances}, {{"axis", Dim{0}}});
}

struct Asked {
  Value q, k, v;  // (B, S, H, D), (B, T, H, D) twice
  Value reach;
};

/// softmax(q k' / sqrt(D)) v as rows: (N, W).
Value attend(Graph& g, const AttentionConfig& c, const Asked& asked,
             const ByDistance& distances = {}, const Surroundings& around = {}) {
  const Dim depth = c.width / c.heads;
  const Value q = transposed(g, asked.q, {0, 2, 1, 3});  // (B, H, S, D)
  const Value k = transposed(g, asked.k, {0, 2, 3, 1});  // (B, H, D, T)
  const Value v = transposed(g, asked.v, {0, 2, 1, 3});  // (B, H, T, D)
  Value scores = g.node("MatMul", {q, k});               // (B, H, S, T)
  if (distances.key_relation.defined()) {
    const Value told = g.node("Einsum", {q, by_distance(g, distances.key_relation, around)},
                              {{"equation", std::string("bhid,ijd->bhij")}});
    scores = g.node("Add", {scores, told});
  }
  const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(depth)));
  scores = g.node("Mul", {scores, g.number(scale)});
  if (distances.bias.defined()) {
    const Value bias = g.node("Gather", {g.weight(distances.bias), *around.distances},
                              {{"axis", Dim{1}}});  // (H, S, S)
    scores = g.node("Add", {scores, bias});
  }
  const Value weights = g.node("Softmax", {masked(g, asked.reach, scores)}, {{"axis", Dim{-1}}});
  Value seen = g.node("MatMul", {weights, v});  // (B, H, S, D)
  if (distances.value_relation.defined()) {
    const Value told = g.node("Einsum", {weights, by_distance(g, distances.value_relation, around)},
                              {{"equation", std::string("bhij,ijd->bhid")}});
    seen = g.node("Add", {seen, told});
  }
  return g.node("Reshape", {transposed(g, seen, {0, 2, 1, 3}), g.numbers(Axes{-1, c.width})});
}

}  // namespace

Value masked(Graph& g, const Value& mask, const Value& x) {
  return g.node("Where", {mask, x, g.number(std::numeric_limits<float>::lowest())});
}

Value by_text(Graph& g, const Batch& batch, const Value& rows, Dim columns) {
  const Value shape = g.node("Concat", {batch.shape, g.numbers(Axes{columns})}, {{"axis", Dim{0}}});
  return g.node("Reshape", {rows, shape});
}

Batch batch_of(Graph& g, const Value& mask) {
  const Value along = g.node("Squeeze", {g.numbers(Axes{1})});
  const Value counted = g.node("CumSum", {mask, along});
  const Value places = g.node("Sub", {counted, g.numbers(Axes{1})});
  return {.mask = cast(g, mask, Type::boolean),
          .shape = g.node("Shape", {mask}),
          .places = g.node("Max", {places, g.numbers(Axes{0})})};  // padding before a text: 0
}

Surroundings surroundings(Graph& g, const Batch& batch, const AttentionConfig& c) {
  FOVEA_CHECK(c.window < 0, "onnx: attention in a window is not written");
  FOVEA_CHECK(c.distance != DistanceBias::alibi, "onnx: ALiBi is not written");
  Surroundings around;
  around.reach = unsqueezed(g, batch.mask, {1, 2});  // (B, 1, 1, S)
  const bool told = c.distance != DistanceBias::none;
  if (c.causal || told) {
    const Value row = counted(g, batch);
    const Value queries = unsqueezed(g, row, {1});  // (S, 1)
    if (c.causal) {
      const Value before = g.node("LessOrEqual", {row, queries});  // (S, S)
      around.reach = g.node("And", {around.reach, before});        // (B, 1, S, S)
    }
    if (told) {
      const Value far = g.node("Sub", {row, queries});
      const Value near = g.node(
          "Min", {g.node("Max", {far, g.numbers(Axes{-c.reach})}), g.numbers(Axes{c.reach})});
      around.distances = g.node("Add", {near, g.numbers(Axes{c.reach})});
    }
  }
  if (c.rope) {
    FOVEA_CHECK(c.rope->layout == RopeLayout::halves,
                "onnx: rotary positions of neighbouring columns are not written");
    const Dim depth = c.width / c.heads;
    std::vector<double> frequencies;
    for (Dim i = 0; i < depth / 2; ++i) {
      frequencies.push_back(
          std::pow(c.rope->base, -2 * static_cast<double>(i) / static_cast<double>(depth)));
    }
    const std::vector<double> none(frequencies.size(), 0);
    const std::vector<double> quarter(frequencies.size(), std::numbers::pi / 2);
    around.cosines = unsqueezed(g, waves(g, batch.places, frequencies, quarter), {2});
    around.sines = unsqueezed(g, waves(g, batch.places, frequencies, none), {2});
  }
  return around;
}

Value self_attention(Graph& g, const SelfAttention& layer, const Value& x, const Batch& batch,
                     const Surroundings& around) {
  const AttentionConfig& c = layer.config;
  const Dim depth = c.width / c.heads, groups = kv_heads_of(c);
  const auto parts = g.nodes(
      "Split", {linear(g, layer.qkv, x), g.numbers(Axes{c.width, groups * depth, groups * depth})},
      3, {{"axis", Dim{1}}});
  Value q = heads(g, batch, parts[0], c.heads, depth);
  Value k = heads(g, batch, parts[1], groups, depth);
  const Value v = heads(g, batch, parts[2], groups, depth);
  if (c.rope) {
    q = turned(g, q, depth, around);
    k = turned(g, k, depth, around);
  }
  const Asked asked = {q, shared(g, batch, k, c), shared(g, batch, v, c), around.reach};
  return linear(g, layer.out, attend(g, c, asked, layer.distances, around));
}

Value cross_attention(Graph& g, const CrossAttention& layer, const Value& x, const Batch& batch,
                      const SeenMemory& memory) {
  const AttentionConfig& c = layer.config;
  const Dim depth = c.width / c.heads, groups = kv_heads_of(c);
  const Value q = heads(g, batch, linear(g, layer.query, x), c.heads, depth);
  const auto parts = g.nodes(
      "Split",
      {linear(g, layer.memory, memory.rows), g.numbers(Axes{groups * depth, groups * depth})}, 2,
      {{"axis", Dim{1}}});
  const auto seen = [&](const Value& columns) {
    return shared(g, memory.batch, heads(g, memory.batch, columns, groups, depth), c);
  };
  const Asked asked = {q, seen(parts[0]), seen(parts[1]), unsqueezed(g, memory.batch.mask, {1, 2})};
  return linear(g, layer.out, attend(g, c, asked));
}

}  // namespace fovea::onnx
