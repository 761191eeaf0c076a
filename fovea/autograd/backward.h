/// Gradients as a value: nothing to zero, nothing shared.
#pragma once

#include <functional>
#include <unordered_map>

#include "fovea/autograd/gradient.h"
#include "fovea/autograd/var.h"

namespace fovea {

/// The gradient of each parameter that a loss depends on.
class Gradients {
 public:
  /// None if the loss does not depend on `parameter`.
  const Gradient* find(const Var& parameter) const;
  Gradient* find(const Var& parameter);
  /// As a whole tensor; zeros if the loss does not depend on `parameter`.
  Tensor operator[](const Var& parameter) const;
  std::size_t size() const { return all_.size(); }
  /// this += other: for accumulating over small batches.
  void add(const Gradients& other);

 private:
  friend class Backward;
  using Map =
      std::unordered_map<Node*, std::pair<NodeRef, Gradient>, std::hash<Node*>, std::equal_to<>,
                         ArenaAllocator<std::pair<Node* const, std::pair<NodeRef, Gradient>>>>;
  Map all_;
};

struct BackwardOptions {
  /// The gradient of `of` itself; by default 1, and then `of` must be a single number.
  Tensor seed = {};
  /// Called as soon as a parameter's gradient is final, while the pass goes on: where several
  /// machines train, its exchange can begin. The gradient may be changed. The order is the same in
  /// every run.
  std::function<void(const Var& parameter, Gradient& gradient)> on_final = {};
};

/// d of / d parameter for all parameters. The tape is used up, node by node, as the pass goes.
Gradients backward(const Var& of, const BackwardOptions& options = {});

}  // namespace fovea
