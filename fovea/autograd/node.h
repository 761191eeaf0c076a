/// The tape: one node for each application of an op that has an input in need of a gradient.
/// Readers of models and ops never see this; they see Var and apply.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "fovea/autograd/gradient.h"
#include "fovea/base/arena.h"

namespace fovea {

class Node;

/// A counted pointer to a node.
class NodeRef {
 public:
  NodeRef() = default;
  explicit NodeRef(Node* node);  // takes the count that `node` was made with
  NodeRef(const NodeRef& other);
  NodeRef(NodeRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  NodeRef& operator=(NodeRef other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~NodeRef();

  Node* get() const { return node_; }
  Node* operator->() const { return node_; }
  explicit operator bool() const { return node_ != nullptr; }

 private:
  Node* node_ = nullptr;
};

/// Where the value of an input came from: output `output` of `node`. No node: no gradient wanted.
struct Edge {
  NodeRef node;
  int output = 0;
};

/// Which inputs of an op want a gradient: those that do not need not be computed.
class Needs {
 public:
  explicit Needs(std::span<const Edge> edges) : edges_(edges) {}
  bool operator[](std::size_t input) const { return static_cast<bool>(edges_[input].node); }

 private:
  std::span<const Edge> edges_;
};

class Node {
 public:
  Node(std::string_view name, std::size_t outputs);
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// A leaf is a parameter: gradients end there.
  virtual bool is_leaf() const { return false; }

  /// The gradients of the inputs from those of the outputs, handed to `give(input, gradient)`.
  /// Forgets what the forward pass saved: a node goes backward once.
  struct Receiver {
    virtual void give(std::size_t input, Gradient gradient) = 0;

   protected:
    ~Receiver() = default;
  };
  virtual void backward(std::span<const Tensor> dy, Receiver& receiver) = 0;

  std::string_view name;
  std::uint64_t order;  // rises with each node made: an op comes after its inputs
  ArenaVector<Edge> edges;
  ArenaVector<Gradient> dy;  // of each output, while going backward
  ArenaVector<std::pair<Shape, DType>> outputs;

 private:
  friend class NodeRef;
  std::atomic<std::uint32_t> count_ = 1;
};

/// Nodes live in the arena too.
template <class T, class... Args>
NodeRef make_node(Args&&... args) {
  static_assert(alignof(T) <= Arena::alignment);
  return NodeRef(new (Arena::shared().allocate(sizeof(T))) T(std::forward<Args>(args)...));
}

}  // namespace fovea
