#include "fovea/autograd/checkpoint.h"

#include <algorithm>

#include "fovea/autograd/backward.h"
#include "fovea/autograd/tape.h"

namespace fovea {
namespace {

using Block = std::function<Var(const std::vector<Var>&)>;

/// The same values without what made them, with a gradient where they have one.
std::vector<Var> leaves_of(const std::vector<Var>& inputs) {
  std::vector<Var> leaves;
  for (const Var& input : inputs) {
    leaves.push_back(input.needs_gradient() ? Var::parameter(input.value()) : Var(input.value()));
  }
  return leaves;
}

/// Its edges are the inputs, then the parameters that the block was seen to use.
class CheckpointNode final : public Node {
 public:
  CheckpointNode(Block block, const std::vector<Var>& inputs, std::vector<Var> leaves, Rng* rng,
                 Rng before)
      : Node("checkpoint", 1),
        block_(std::move(block)),
        leaves_(std::move(leaves)),
        rng_(rng),
        rng_before_(before) {
    for (const Var& input : inputs) edges.push_back(Tape::edge(input));
  }

  void backward(std::span<const Tensor> dy, Receiver& receiver) override {
    FOVEA_CHECK(block_, "backward: the tape through a checkpoint was used before");
    Gradients gradients;
    {
      const Rng now = rng_ ? *rng_ : Rng();
      if (rng_) *rng_ = rng_before_;
      gradients = fovea::backward(block_(leaves_), {.seed = dy[0]});
      if (rng_) *rng_ = now;
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!edges[i].node) continue;
      const Var var = i < leaves_.size() ? leaves_[i] : Tape::leaf(edges[i].node);
      if (Gradient* gradient = gradients.find(var)) receiver.give(i, std::move(*gradient));
    }
    block_ = nullptr;
    leaves_.clear();
  }

 private:
  Block block_;
  std::vector<Var> leaves_;  // the inputs
  Rng* rng_;
  Rng rng_before_;
};

}  // namespace

Var checkpoint(Block block, const std::vector<Var>& inputs, Rng* rng) {
  if (!recording()) return block(inputs);
  const Rng before = rng ? *rng : Rng();
  const std::vector<Var> leaves = leaves_of(inputs);
  Tensor value;
  Tape::Uses uses;
  {
    NoTape off;
    value = block(leaves).value();
  }
  auto node = make_node<CheckpointNode>(std::move(block), inputs, leaves, rng, before);
  for (const Edge& edge : uses.found) {
    const bool named = std::any_of(leaves.begin(), leaves.end(), [&](const Var& leaf) {
      return Tape::edge(leaf).node.get() == edge.node.get();
    });
    if (named) continue;
    FOVEA_CHECK(edge.node->is_leaf(), "checkpoint: the block uses a value from outside that is no ",
                "parameter; give it among the inputs");
    node->edges.push_back(edge);
  }
  bool wanted = false;
  for (const Edge& edge : node->edges) wanted = wanted || edge.node;
  if (!wanted) return value;
  return Tape::output(std::move(value), node, 0);
}

}  // namespace fovea
