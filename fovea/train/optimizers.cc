#include "fovea/train/optimizers.h"

#include <cmath>

#include "fovea/kernels/optimizer.h"

namespace fovea {
namespace {

template <class T>
T real(double x) {
  return static_cast<T>(x);
}

/// Both kinds of Adam: `decoupled` says where the weight decay goes.
template <class Config>
void step_adam(const Config& config, bool decoupled, const std::vector<Slot>& slots,
               double learning_rate) {
  update_all(slots, [&]<class T>(const Piece<T>& p) {
    const kernels::Adam<T> kernel{
        .rate = real<T>(learning_rate),
        .beta1 = real<T>(config.beta1),
        .beta2 = real<T>(config.beta2),
        .eps = real<T>(config.eps),
        .weight_decay = real<T>(config.weight_decay),
        .decoupled = decoupled,
        .correction1 = real<T>(1 - std::pow(double{real<T>(config.beta1)}, p.step)),
        .correction2 = real<T>(1 - std::pow(double{real<T>(config.beta2)}, p.step))};
    kernels::adam(kernel, p.gradient, p.state[0], p.state[1], p.weight, p.count);
  });
}

}  // namespace

Sgd::Sgd(const TrainedParams& params, SgdConfig config)
    : OptimizerState(params, config.momentum != 0 ? Kinds{"velocity"} : Kinds{}), config_(config) {}

void Sgd::step(const Gradients& gradients, double learning_rate) {
  update_all(begin_step(gradients), [&]<class T>(const Piece<T>& p) {
    const kernels::Sgd<T> kernel{.rate = real<T>(learning_rate),
                                 .momentum = real<T>(config_.momentum),
                                 .weight_decay = real<T>(config_.weight_decay),
                                 .nesterov = config_.nesterov};
    kernels::sgd(kernel, p.gradient, p.state[0], p.weight, p.count);
  });
}

Adam::Adam(const TrainedParams& params, AdamConfig config)
    : OptimizerState(params, {"mean", "square"}), config_(config) {}

void Adam::step(const Gradients& gradients, double learning_rate) {
  step_adam(config_, false, begin_step(gradients), learning_rate);
}

AdamW::AdamW(const TrainedParams& params, AdamWConfig config)
    : OptimizerState(params, {"mean", "square"}), config_(config) {}

void AdamW::step(const Gradients& gradients, double learning_rate) {
  step_adam(config_, true, begin_step(gradients), learning_rate);
}

Adagrad::Adagrad(const TrainedParams& params, AdagradConfig config)
    : OptimizerState(params, {"square"}), config_(config) {}

void Adagrad::step(const Gradients& gradients, double learning_rate) {
  update_all(begin_step(gradients), [&]<class T>(const Piece<T>& p) {
    const kernels::Adagrad<T> kernel{.rate = real<T>(learning_rate),
                                     .eps = real<T>(config_.eps),
                                     .weight_decay = real<T>(config_.weight_decay)};
    kernels::adagrad(kernel, p.gradient, p.state[0], p.weight, p.count);
  });
}

Adadelta::Adadelta(const TrainedParams& params, AdadeltaConfig config)
    : OptimizerState(params, {"square", "update"}), config_(config) {}

void Adadelta::step(const Gradients& gradients, double learning_rate) {
  update_all(begin_step(gradients), [&]<class T>(const Piece<T>& p) {
    const kernels::Adadelta<T> kernel{.rate = real<T>(learning_rate),
                                      .rho = real<T>(config_.rho),
                                      .eps = real<T>(config_.eps),
                                      .weight_decay = real<T>(config_.weight_decay)};
    kernels::adadelta(kernel, p.gradient, p.state[0], p.state[1], p.weight, p.count);
  });
}

Lion::Lion(const TrainedParams& params, LionConfig config)
    : OptimizerState(params, {"mean"}), config_(config) {}

void Lion::step(const Gradients& gradients, double learning_rate) {
  update_all(begin_step(gradients), [&]<class T>(const Piece<T>& p) {
    const kernels::Lion<T> kernel{.rate = real<T>(learning_rate),
                                  .beta1 = real<T>(config_.beta1),
                                  .beta2 = real<T>(config_.beta2),
                                  .weight_decay = real<T>(config_.weight_decay)};
    kernels::lion(kernel, p.gradient, p.state[0], p.weight, p.count);
  });
}

}  // namespace fovea
