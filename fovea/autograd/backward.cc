#include "fovea/autograd/backward.h"

#include <algorithm>

#include "fovea/autograd/tape.h"

namespace fovea {

const Gradient* Gradients::find(const Var& parameter) const {
  const auto at = all_.find(Tape::edge(parameter).node.get());
  return at == all_.end() ? nullptr : &at->second.second;
}

Gradient* Gradients::find(const Var& parameter) {
  return const_cast<Gradient*>(std::as_const(*this).find(parameter));
}

Tensor Gradients::operator[](const Var& parameter) const {
  const Gradient* gradient = find(parameter);
  if (!gradient || !gradient->defined()) return Tensor::zeros(parameter.shape(), parameter.dtype());
  return gradient->dense();
}

void Gradients::add(const Gradients& other) {
  for (const auto& [key, entry] : other.all_) {
    auto& [node, gradient] = all_[key];
    node = entry.first;
    gradient.add(entry.second);
  }
}

/// One backward pass.
class Backward {
 public:
  Backward(const Var& of, const BackwardOptions& options) : options_(options) {
    const Edge& root = Tape::edge(of);
    FOVEA_CHECK(root.node, "backward: the value depends on no parameter",
                recording() ? "" : " (NoTape is in force)");
    Tensor seed = options.seed;
    if (!seed.defined()) {
      FOVEA_CHECK(of.value().size() == 1, "backward: expected a single number, found the shape ",
                  of.shape(), "; sum it or give a seed");
      seed = Tensor::full(of.shape(), 1, of.dtype());
    }
    FOVEA_CHECK(seed.shape() == of.shape() && seed.dtype() == of.dtype(), "backward: the seed is ",
                seed.shape(), " ", seed.dtype(), ", the value ", of.shape(), " ", of.dtype());
    collect(root.node);
    receive(root, seed);
    for (NodeRef& node : tape_) {
      step(*node.get());
      node = NodeRef();  // what the op saved is not needed any more: give it back now
    }
  }

  Gradients take() { return std::move(gradients_); }

 private:
  struct Receiver final : Node::Receiver {
    Receiver(Backward& pass, Node& node) : pass(pass), node(node) {}
    void give(std::size_t input, Gradient gradient) override {
      pass.receive(node.edges[input], std::move(gradient));
    }
    Backward& pass;
    Node& node;
  };

  // All nodes that `root` depends on, the latest first. A heap by order finds them so that each is
  // met again by the time it is popped, and no marks are needed on nodes that threads may share.
  void collect(const NodeRef& root) {
    const auto earlier = [](const Node* a, const Node* b) { return a->order < b->order; };
    ArenaVector<Node*> heap;
    add(root, heap);
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), earlier);
      Node* node = heap.back();
      heap.pop_back();
      if (!tape_.empty() && tape_.back().get() == node) continue;
      tape_.push_back(refs_[node]);
      for (const Edge& edge : node->edges) {
        if (!edge.node) continue;
        if (add(edge.node, heap)) std::push_heap(heap.begin(), heap.end(), earlier);
      }
    }
    refs_.clear();
  }

  // Counts the uses of a leaf; anything else goes into the heap.
  bool add(const NodeRef& node, ArenaVector<Node*>& heap) {
    if (node->is_leaf()) {
      ++uses_[node.get()];
      gradients_.all_[node.get()].first = node;
      return false;
    }
    refs_.emplace(node.get(), node);
    heap.push_back(node.get());
    return true;
  }

  void step(Node& node) {
    dy_.clear();
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const auto& [shape, dtype] = node.outputs[i];
      dy_.push_back(i < node.dy.size() && node.dy[i].defined() ? node.dy[i].dense()
                                                               : Tensor::zeros(shape, dtype));
    }
    node.dy.clear();
    Receiver receiver(*this, node);
    node.backward(dy_, receiver);
    dy_.clear();
    for (const Edge& edge : node.edges) {
      if (edge.node && edge.node->is_leaf()) finish_use(edge.node);
    }
    node.edges.clear();
  }

  void receive(const Edge& edge, Gradient gradient) {
    if (!gradient.defined()) return;
    Node& node = *edge.node.get();
    if (node.is_leaf()) {
      gradients_.all_[&node].second.add(std::move(gradient));
      return;
    }
    node.dy.resize(node.outputs.size());
    node.dy[static_cast<std::size_t>(edge.output)].add(std::move(gradient));
  }

  void finish_use(const NodeRef& leaf) {
    if (--uses_[leaf.get()] != 0) return;
    Gradient& gradient = gradients_.all_[leaf.get()].second;
    gradient.settle();
    if (options_.on_final) options_.on_final(Tape::leaf(leaf), gradient);
  }

  template <class V>
  using NodeMap = std::unordered_map<Node*, V, std::hash<Node*>, std::equal_to<>,
                                     ArenaAllocator<std::pair<Node* const, V>>>;

  const BackwardOptions& options_;
  ArenaVector<NodeRef> tape_;
  NodeMap<NodeRef> refs_;
  NodeMap<int> uses_;
  ArenaVector<Tensor> dy_;
  Gradients gradients_;
};

Gradients backward(const Var& of, const BackwardOptions& options) {
  return Backward(of, options).take();
}

}  // namespace fovea
