/// A computation as ONNX writes it down (https://onnx.ai/onnx/repo-docs/IR.html), opset 17: nodes
/// that give named values to other nodes, and the weights between them.
///
///   Graph graph(params);
///   const Value x = graph.input("x", Type::f32, {{.name = "rows"}, {512}});
///   graph.output("y", graph.node("Gemm", {x, graph.weight(w), graph.weight(b)}, {{"transB", 1}}),
///                Type::f32, {{.name = "rows"}, {10}});
///   graph.write("model.onnx");
///
/// Weights keep the names and the layout that they have in model.safetensors.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fovea/nn/params.h"
#include "fovea/onnx/wire.h"

namespace fovea::onnx {

/// What a node gives, by its name; without one: an input that is left out.
struct Value {
  std::string name = {};
};

/// The numbers are ONNX's.
enum class Type { f32 = 1, i64 = 7, boolean = 9, f64 = 11 };

/// How far an axis goes: a number, or a name where that is told by the input.
struct Extent {
  Dim size = 0;
  std::string name = {};
};

struct Attribute {
  std::string name;
  std::variant<Dim, float, std::vector<Dim>, std::string> value;
};

class Graph {
 public:
  /// Layers that are put into the graph have their parameters from `params`, which outlives it.
  explicit Graph(const Params& params);

  Value input(const std::string& name, Type type, const std::vector<Extent>& shape);
  void output(const std::string& name, const Value& value, Type type,
              const std::vector<Extent>& shape);
  /// A parameter; asked for twice it is stored once.
  Value weight(const Var& parameter);
  /// Numbers that are known beforehand: one, or a vector.
  Value number(float value);
  Value numbers(const std::vector<Dim>& values);
  Value numbers(const std::vector<double>& values);

  Value node(const std::string& op, const std::vector<Value>& inputs,
             const std::vector<Attribute>& attributes = {});
  /// With several outputs.
  std::vector<Value> nodes(const std::string& op, const std::vector<Value>& inputs,
                           std::size_t outputs, const std::vector<Attribute>& attributes = {});

  /// What else a reader of the file should know: labels, say.
  void note(const std::string& key, const std::string& text) { notes_.emplace_back(key, text); }

  /// Written beside and renamed. An Error if it is more than the 2 GB that a message can hold.
  void write(const std::filesystem::path& path) const;

 private:
  Value constant(const Tensor& tensor);
  void store(const std::string& name, const Tensor& tensor, const std::vector<Dim>& extents);
  Message model() const;

  std::map<const void*, std::string> names_;  // of parameters, by their memory
  std::map<std::string, Tensor> stored_;
  std::vector<Message> nodes_, weights_, inputs_, outputs_;
  std::vector<std::pair<std::string, std::string>> notes_;
  std::size_t values_ = 0;
};

}  // namespace fovea::onnx
