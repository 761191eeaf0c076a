/// What optimizers share: numbers kept for each parameter, and the walk over all parameters.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "fovea/autograd/backward.h"
#include "fovea/nn/named_tensor.h"
#include "fovea/train/trained_params.h"

namespace fovea {

/// Some neighbouring numbers of one parameter, their gradients and their states.
template <class T>
struct Piece {
  const T* gradient = nullptr;
  T* weight = nullptr;
  std::array<T*, 2> state = {};  // as many as the optimizer keeps; the others are null
  Dim count = 0;
  Dim step = 1;  // 1 for the first gradient that this parameter has had
};

/// A parameter that has a gradient now. By rows, the gradient is compact: ids rise.
struct Slot {
  Tensor weight;
  Gradient gradient;
  std::array<Tensor, 2> state;
  Dim step = 1;
  Dim begin = 0;  // where its numbers stand in the row of all numbers
};

/// The states of trained parameters. Each is a tensor of its parameter's shape, zero at first.
class OptimizerState {
 public:
  /// The tensors themselves, for checkpoints: <parameter>.<kind>, and "steps", the number of
  /// gradients that each parameter has had.
  std::vector<NamedTensor> states() const;
  /// Takes up where the tensors of a checkpoint left off.
  void load(const Params::Source& source);

 protected:
  using Kinds = std::vector<std::string_view>;  // of numbers kept for each number: at most two
  OptimizerState(const TrainedParams& params, Kinds kinds);

  /// The parameters that `gradients` holds; the others are left alone. Counts a step for each.
  std::vector<Slot> begin_step(const Gradients& gradients);

 private:
  struct Owner {
    std::string name;
    Var var;
    std::array<Tensor, 2> state;
  };

  Params* params_;
  Kinds kinds_;
  std::vector<Owner> owners_;
  Tensor steps_;  // (parameters) i64
};

/// Copies what `source` has for each name into the tensor of that name.
void load_states(const std::vector<NamedTensor>& into, const Params::Source& source);

/// update(Piece<float>) or update(Piece<double>) for all numbers of all slots, as one row of
/// numbers over all threads: a model's many small parameters cost no more than their numbers.
/// Where a gradient by rows has no row, the gradient of the piece is zero.
template <class Update>
void update_all(const std::vector<Slot>& slots, Update&& update);

}  // namespace fovea

#include "fovea/train/optimizer_walk.h"
