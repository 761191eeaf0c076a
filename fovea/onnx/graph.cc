#include "fovea/onnx/graph.h"

#include <limits>

#include "fovea/base/atomic_file.h"

namespace fovea::onnx {
namespace {

// Numbers of fields: onnx.proto, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
constexpr Dim ir_version = 8, opset = 17;  // what a runtime of 2022 reads

Dim onnx_type(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return static_cast<Dim>(Type::f32);
    case DType::f64:
      return static_cast<Dim>(Type::f64);
    case DType::i64:
      return static_cast<Dim>(Type::i64);
    default:
      fail(ErrorKind::internal, "onnx: no weights of the type ", name_of(dtype));
  }
}

Message value_info(const std::string& name, Type type, const std::vector<Extent>& shape) {
  Message extents;
  for (const Extent& extent : shape) {
    Message axis;
    if (extent.name.empty()) {
      axis.number(1, extent.size);
    } else {
      axis.text(2, extent.name);
    }
    extents.message(1, std::move(axis));
  }
  Message tensor, of_type, info;
  tensor.number(1, static_cast<Dim>(type));
  tensor.message(2, std::move(extents));
  of_type.message(1, std::move(tensor));
  info.text(1, name);
  info.message(2, std::move(of_type));
  return info;
}

Message attribute(const Attribute& from) {
  enum Kind { real_kind = 1, number_kind = 2, text_kind = 3, numbers_kind = 7 };
  Message to;
  to.text(1, from.name);
  if (const auto* number = std::get_if<Dim>(&from.value)) {
    to.number(3, *number);
    to.number(20, number_kind);
  } else if (const auto* real = std::get_if<float>(&from.value)) {
    to.real(2, *real);
    to.number(20, real_kind);
  } else if (const auto* text = std::get_if<std::string>(&from.value)) {
    to.text(4, *text);
    to.number(20, text_kind);
  } else {
    for (const Dim one : std::get<std::vector<Dim>>(from.value)) to.number(8, one);
    to.number(20, numbers_kind);
  }
  return to;
}

}  // namespace

Graph::Graph(const Params& params) {
  for (const Parameter& parameter : params.all()) {
    names_.emplace(parameter.var.value().raw(), parameter.name);
  }
}

Value Graph::input(const std::string& name, Type type, const std::vector<Extent>& shape) {
  inputs_.push_back(value_info(name, type, shape));
  return {name};
}

void Graph::output(const std::string& name, const Value& value, Type type,
                   const std::vector<Extent>& shape) {
  Message renamed;
  renamed.text(1, value.name);
  renamed.text(2, name);
  renamed.text(3, name);
  renamed.text(4, "Identity");
  nodes_.push_back(std::move(renamed));
  outputs_.push_back(value_info(name, type, shape));
}

void Graph::store(const std::string& name, const Tensor& tensor, const std::vector<Dim>& extents) {
  Message to;
  for (const Dim extent : extents) to.number(1, extent);
  to.number(2, onnx_type(tensor.dtype()));
  to.text(8, name);
  to.lend(9, {static_cast<const std::byte*>(tensor.raw()), tensor.bytes()});
  weights_.push_back(std::move(to));
  stored_.emplace(name, tensor);
}

Value Graph::weight(const Var& parameter) {
  const Tensor& tensor = parameter.value();
  const auto at = names_.find(tensor.raw());
  FOVEA_CHECK(at != names_.end(), ErrorKind::internal, "onnx: a weight of the shape ",
              tensor.shape(), " is none of the model's parameters");
  if (!stored_.contains(at->second)) {
    std::vector<Dim> extents;
    for (int i = 0; i < tensor.shape().rank(); ++i) extents.push_back(tensor.shape()[i]);
    store(at->second, tensor, extents);
  }
  return {at->second};
}

Value Graph::constant(const Tensor& tensor) {
  const std::string name = concat("constant_", stored_.size());
  const bool single = tensor.shape().rank() == 0;
  store(name, tensor, single ? std::vector<Dim>() : std::vector<Dim>{tensor.size()});
  return {name};
}

Value Graph::number(float value) { return constant(Tensor::of<float>({}, {value})); }

Value Graph::numbers(const std::vector<Dim>& values) {
  return constant(Tensor::from<Dim>({std::ssize(values)}, values));
}

Value Graph::numbers(const std::vector<double>& values) {
  return constant(Tensor::from<double>({std::ssize(values)}, values));
}

std::vector<Value> Graph::nodes(const std::string& op, const std::vector<Value>& inputs,
                                std::size_t outputs, const std::vector<Attribute>& attributes) {
  Message to;
  for (const Value& input : inputs) to.text(1, input.name);
  std::vector<Value> given;
  const std::string name = concat(op, "_", values_++);
  for (std::size_t i = 0; i < outputs; ++i) {
    given.push_back({outputs == 1 ? name : concat(name, ".", i)});
    to.text(2, given.back().name);
  }
  to.text(3, name);
  to.text(4, op);
  for (const Attribute& each : attributes) to.message(5, attribute(each));
  nodes_.push_back(std::move(to));
  return given;
}

Value Graph::node(const std::string& op, const std::vector<Value>& inputs,
                  const std::vector<Attribute>& attributes) {
  return nodes(op, inputs, 1, attributes).front();
}

Message Graph::model() const {
  Message graph;
  for (const Message& node : nodes_) graph.message(1, node);
  graph.text(2, "fovea");
  for (const Message& weight : weights_) graph.message(5, weight);
  for (const Message& input : inputs_) graph.message(11, input);
  for (const Message& output : outputs_) graph.message(12, output);
  Message operators, model;
  operators.text(1, "");
  operators.number(2, opset);
  model.number(1, ir_version);
  model.text(2, "fovea");
  model.message(7, std::move(graph));
  model.message(8, std::move(operators));
  for (const auto& [key, text] : notes_) {
    Message note;
    note.text(1, key);
    note.text(2, text);
    model.message(14, std::move(note));
  }
  return model;
}

void Graph::write(const std::filesystem::path& path) const {
  const Message whole = model();
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  FOVEA_CHECK(whole.size() <= most, ErrorKind::too_large, path.string(),
              ": ONNX files hold at most ", most, " bytes, and this model takes ", whole.size(),
              "; `fovea export --hf` writes models of any size");
  AtomicFile file(path);
  whole.write([&](const void* data, std::size_t bytes) { file.write(data, bytes); });
  file.commit();
}

}  // namespace fovea::onnx
