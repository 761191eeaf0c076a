#include "fovea/train/optimizer_state.h"

#include <cstring>

namespace fovea {

OptimizerState::OptimizerState(const TrainedParams& params, Kinds kinds)
    : params_(&params.params()), kinds_(std::move(kinds)) {
  for (const Parameter& p : params.all()) {
    Owner owner{p.name, p.var, {}};
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      owner.state[k] = Tensor::zeros(p.var.shape(), p.var.dtype());
    }
    owners_.push_back(std::move(owner));
  }
  steps_ = Tensor::zeros({static_cast<Dim>(owners_.size())}, DType::i64);
}

std::vector<NamedTensor> OptimizerState::states() const {
  std::vector<NamedTensor> all = {{"steps", steps_}};
  for (const Owner& owner : owners_) {
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      all.push_back({concat(owner.name, ".", kinds_[k]), owner.state[k]});
    }
  }
  return all;
}

void load_states(const std::vector<NamedTensor>& into, const Params::Source& source) {
  for (NamedTensor state : into) {
    const Tensor saved = source(state.name);
    FOVEA_CHECK(saved.defined(), ErrorKind::bad_file, "checkpoint: ", state.name, " is missing");
    FOVEA_CHECK(saved.shape() == state.tensor.shape() && saved.dtype() == state.tensor.dtype(),
                ErrorKind::bad_file, "checkpoint: ", state.name, ": expected ",
                state.tensor.shape(), " ", state.tensor.dtype(), ", found ", saved.shape(), " ",
                saved.dtype());
    std::memcpy(state.tensor.mutable_raw(), saved.raw(), saved.bytes());
  }
}

void OptimizerState::load(const Params::Source& source) { load_states(states(), source); }

std::vector<Slot> OptimizerState::begin_step(const Gradients& gradients) {
  params_->unpack();
  std::vector<Slot> slots;
  Dim begin = 0;
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    const Owner& owner = owners_[i];
    const Gradient* gradient = gradients.find(owner.var);
    if (!gradient || !gradient->defined()) continue;
    Slot slot{owner.var.value(), *gradient, owner.state, ++steps_.mutable_data<Dim>()[i], begin};
    slot.gradient.make_compact();
    begin += slot.weight.size();
    slots.push_back(std::move(slot));
  }
  return slots;
}

}  // namespace fovea
