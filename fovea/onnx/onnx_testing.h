/// For tests: an ONNX file read back, as far as they ask.
#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/tensor/tensor.h"

namespace fovea::onnx {

/// The fields of a message in their order.
struct ReadMessage {
  struct Field {
    int number = 0;
    std::int64_t value = 0;
    std::string bytes = {};
  };
  std::vector<Field> fields = {};

  explicit ReadMessage(const std::string& bytes) {
    std::size_t at = 0;
    const auto varint = [&] {
      std::uint64_t value = 0;
      for (int shift = 0;; shift += 7) {
        FOVEA_CHECK(at < bytes.size() && shift < 64, "a number that does not end");
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) return value;
      }
    };
    const auto take = [&](std::size_t count) {
      FOVEA_CHECK(count <= bytes.size() - at, "bytes beyond the end");
      at += count;
      return bytes.substr(at - count, count);
    };
    while (at < bytes.size()) {
      const std::uint64_t tag = varint();
      Field field{.number = static_cast<int>(tag >> 3)};
      switch (tag & 7) {
        case 0:
          field.value = static_cast<std::int64_t>(varint());
          break;
        case 2:
          field.bytes = take(varint());
          break;
        case 5:
          field.bytes = take(4);
          break;
        default:
          fail("a field of an unknown kind");
      }
      fields.push_back(std::move(field));
    }
  }

  std::vector<std::string> all(int number) const {
    std::vector<std::string> found;
    for (const Field& field : fields) {
      if (field.number == number) found.push_back(field.bytes);
    }
    return found;
  }
  std::vector<Dim> numbers(int number) const {
    std::vector<Dim> found;
    for (const Field& field : fields) {
      if (field.number == number) found.push_back(field.value);
    }
    return found;
  }
  std::string text(int number) const {
    const auto found = all(number);
    return found.empty() ? "" : found.front();
  }
};

struct ReadNode {
  std::string op;
  std::vector<std::string> inputs, outputs;
};

struct ReadGraph {
  Dim opset = 0;
  std::vector<ReadNode> nodes = {};
  std::map<std::string, std::string> inputs = {}, outputs = {};  // "i64 (batch_size, 3)"
  std::map<std::string, Tensor> weights = {};
  std::map<std::string, std::string> notes = {};

  static ReadGraph open(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const ReadMessage model{std::string(std::istreambuf_iterator<char>(in), {})};
    ReadGraph read;
    read.opset = ReadMessage(model.text(8)).numbers(2).at(0);
    for (const std::string& bytes : model.all(14)) {
      const ReadMessage note(bytes);
      read.notes[note.text(1)] = note.text(2);
    }
    const ReadMessage graph(model.text(7));
    for (const std::string& bytes : graph.all(1)) {
      const ReadMessage node(bytes);
      read.nodes.push_back({node.text(4), node.all(1), node.all(2)});
    }
    for (const std::string& bytes : graph.all(5)) {
      const ReadMessage weight(bytes);
      read.weights[weight.text(8)] = tensor_of(weight);
    }
    for (const std::string& bytes : graph.all(11)) read.add(read.inputs, bytes);
    for (const std::string& bytes : graph.all(12)) read.add(read.outputs, bytes);
    return read;
  }

 private:
  static Tensor tensor_of(const ReadMessage& weight) {
    const Dim type = weight.numbers(2).at(0);
    Tensor tensor = Tensor::empty(Shape(weight.numbers(1)), type == 1    ? DType::f32
                                                            : type == 11 ? DType::f64
                                                                         : DType::i64);
    const std::string bytes = weight.text(9);
    FOVEA_CHECK(bytes.size() == tensor.bytes(), weight.text(8), ": ", bytes.size(), " bytes");
    std::memcpy(tensor.mutable_raw(), bytes.data(), bytes.size());
    return tensor;
  }
  static void add(std::map<std::string, std::string>& to, const std::string& bytes) {
    const ReadMessage info(bytes);
    const ReadMessage tensor(ReadMessage(info.text(2)).text(1));
    std::string shape;
    for (const std::string& extent : ReadMessage(tensor.text(2)).all(1)) {
      const ReadMessage axis(extent);
      const std::string name = axis.text(2);
      shape += (shape.empty() ? "" : ", ") +
               (name.empty() ? std::to_string(axis.numbers(1).at(0)) : name);
    }
    to[info.text(1)] = concat(tensor.numbers(1).at(0) == 7 ? "i64 (" : "f32 (", shape, ")");
  }
};

}  // namespace fovea::onnx
