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

  /// The leaves that ops meet while `NoTape` is in force, noted for a checkpointed block: its
  /// parameters are inputs that nobody named.
  class Leaves {
   public:
    Leaves();
    ~Leaves();
    Leaves(const Leaves&) = delete;
    Leaves& operator=(const Leaves&) = delete;
    ArenaVector<Edge> found;

   private:
    Leaves* before_;
  };
  static void note_leaf(const Var& input);
};

}  // namespace fovea
