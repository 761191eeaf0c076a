/// Between Var and Node: for apply, backward and checkpoint, and for nobody else.
#pragma once

#include "fovea/autograd/var.h"

namespace fovea {

/// A parameter.
struct Leaf final : Node {
  explicit Leaf(Tensor value) : Node("parameter", 1), value(std::move(value)) {}
  bool is_leaf() const override { return true; }
  void backward(std::span<const Tensor>, Receiver&) override {}
  Tensor value;
};

class Tape {
 public:
  static const Edge& edge(const Var& var) { return var.edge_; }
  static Var output(Tensor value, const NodeRef& node, int output) {
    node->outputs[static_cast<std::size_t>(output)] = {value.shape(), value.dtype()};
    return Var(std::move(value), Edge{node, output});
  }
  /// The parameter that a leaf stands for.
  static Var leaf(const NodeRef& node) {
    return Var(static_cast<const Leaf*>(node.get())->value, Edge{node, 0});
  }

  /// What needs a gradient and is met by ops while `NoTape` is in force, each once: what a
  /// checkpointed block uses, its parameters among it, which nobody named.
  class Uses {
   public:
    Uses();
    ~Uses();
    Uses(const Uses&) = delete;
    Uses& operator=(const Uses&) = delete;
    ArenaVector<Edge> found;

   private:
    Uses* before_;
  };
  static void note_use(const Var& input);
};

}  // namespace fovea
