#include "fovea/onnx/layers.h"

#include <numbers>

namespace fovea::onnx {
namespace {

/// x (1 + f(...)) / 2
Value halved(Graph& g, const Value& x, const Value& f) {
  const Value sum = g.node("Add", {f, g.number(1)});
  return g.node("Mul", {g.node("Mul", {x, sum}), g.number(0.5F)});
}

}  // namespace

Value flat(Graph& g, const Value& x) {
  return g.node("Reshape", {x, g.numbers(std::vector<Dim>{-1})});
}

Value activated(Graph& g, Activation f, const Value& x) {
  switch (f) {
    case Activation::none:
      return x;
    case Activation::relu:
      return g.node("Relu", {x});
    case Activation::gelu: {
      const Value scaled = g.node("Div", {x, g.number(std::numbers::sqrt2_v<float>)});
      return halved(g, x, g.node("Erf", {scaled}));
    }
    case Activation::gelu_tanh: {
      const Value square = g.node("Mul", {x, x});
      const Value cube = g.node("Mul", {square, g.node("Mul", {x, g.number(0.044715F)})});
      const float root = std::sqrt(2 * std::numbers::inv_pi_v<float>);
      const Value inner = g.node("Mul", {g.node("Add", {x, cube}), g.number(root)});
      return halved(g, x, g.node("Tanh", {inner}));
    }
    case Activation::silu:
      return g.node("Mul", {x, g.node("Sigmoid", {x})});
    case Activation::tanh:
      return g.node("Tanh", {x});
    case Activation::sigmoid:
      return g.node("Sigmoid", {x});
  }
  fail(ErrorKind::internal, "onnx: no such activation");
}

Value linear(Graph& g, const Var& weight, const Var& bias, const Value& x) {
  std::vector<Value> inputs = {x, g.weight(weight)};
  if (bias.defined()) inputs.push_back(g.weight(bias));
  return g.node("Gemm", inputs, {{"transB", Dim{1}}});
}

Value linear(Graph& g, const Linear& layer, const Value& x) {
  return activated(g, layer.activation, linear(g, layer.weight, layer.bias, x));
}

Value rms(Graph& g, const Value& x, double eps) {
  const Value mean =
      g.node("ReduceMean", {g.node("Mul", {x, x})}, {{"axes", std::vector<Dim>{-1}}});
  const Value root = g.node("Sqrt", {g.node("Add", {mean, g.number(static_cast<float>(eps))})});
  return g.node("Div", {x, root});
}

Value norm(Graph& g, const Norm& layer, const Value& x) {
  if (layer.kind == NormKind::rms) {
    return g.node("Mul", {rms(g, x, layer.eps), g.weight(layer.weight)});
  }
  return g.node("LayerNormalization", {x, g.weight(layer.weight), g.weight(layer.bias)},
                {{"axis", Dim{-1}}, {"epsilon", static_cast<float>(layer.eps)}});
}

Value embedding(Graph& g, const Embedding& table, const Value& ids) {
  const Value rows = g.node("Gather", {g.weight(table.weight), ids});
  if (table.factor == 1) return rows;
  return g.node("Mul", {rows, g.number(static_cast<float>(table.factor))});
}

Value feed_forward(Graph& g, const FeedForward& layer, const Value& x) {
  Value h = linear(g, layer.linear1, x);  // (N, hidden)
  if (layer.gate) h = g.node("Mul", {linear(g, *layer.gate, x), h});
  return linear(g, layer.linear2, h);
}

Value waves(Graph& g, const Value& places, const std::vector<double>& frequencies,
            const std::vector<double>& offsets) {
  const Value p = g.node("Unsqueeze", {g.node("Cast", {places}, {{"to", Dim(Type::f64)}}),
                                       g.numbers(std::vector<Dim>{-1})});
  const Value angles = g.node("Mul", {p, g.numbers(frequencies)});
  const Value waves = g.node("Sin", {g.node("Add", {angles, g.numbers(offsets)})});
  return g.node("Cast", {waves}, {{"to", Dim(Type::f32)}});
}

}  // namespace fovea::onnx
