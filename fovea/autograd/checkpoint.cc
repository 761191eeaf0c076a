#include "fovea/autograd/checkpoint.h"

#include "fovea/autograd/backward.h"
#include "fovea/autograd/tape.h"

namespace fovea {
namespace {

using Block = std::function<Var(const std::vector<Var>&)>;

/// Its edges are the inputs, then the parameters that the block was seen to use.
class CheckpointNode final : public Node {
 public:
  CheckpointNode(Block block, const std::vector<Var>& inputs, Rng* rng, Rng before)
      : Node("checkpoint", 1), block_(std::move(block)), rng_(rng), rng_before_(before) {
    for (const Var& input : inputs) {
      inputs_.push_back(input.value());
      edges.push_back(Tape::edge(input));
    }
  }

  void backward(std::span<const Tensor> dy, Receiver& receiver) override {
    FOVEA_CHECK(block_, "backward: the tape through a checkpoint was used before");
    std::vector<Var> again;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      again.push_back(edges[i].node ? Var::parameter(inputs_[i]) : Var(inputs_[i]));
    }
    Gradients gradients;
    {
      const Rng now = rng_ ? *rng_ : Rng();
      if (rng_) *rng_ = rng_before_;
      gradients = fovea::backward(block_(again), {.seed = dy[0]});
      if (rng_) *rng_ = now;
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!edges[i].node) continue;
      const Var var = i < again.size() ? again[i] : Tape::leaf(edges[i].node);
      if (Gradient* gradient = gradients.find(var)) receiver.give(i, std::move(*gradient));
    }
    block_ = nullptr;
    inputs_.clear();
  }

 private:
  Block block_;
  std::vector<Tensor> inputs_;
  Rng* rng_;
  Rng rng_before_;
};

}  // namespace

Var checkpoint(Block block, const std::vector<Var>& inputs, Rng* rng) {
  if (!recording()) return block(inputs);
  const Rng before = rng ? *rng : Rng();
  Tensor value;
  Tape::Leaves parameters;
  {
    NoTape off;
    value = block(inputs).value();
  }
  auto node = make_node<CheckpointNode>(std::move(block), inputs, rng, before);
  for (const Edge& edge : parameters.found) {
    bool is_input = false;
    for (const Var& input : inputs)
      is_input = is_input || Tape::edge(input).node.get() == edge.node.get();
    if (!is_input) node->edges.push_back(edge);
  }
  bool wanted = false;
  for (const Edge& edge : node->edges) wanted = wanted || edge.node;
  if (!wanted) return value;
  return Tape::output(std::move(value), node, 0);
}

}  // namespace fovea
