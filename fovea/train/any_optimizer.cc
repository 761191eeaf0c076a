#include "fovea/train/any_optimizer.h"

namespace fovea {
namespace {

double given(double value, double otherwise) { return value != 0 ? value : otherwise; }

template <class Config>
Config adam_config(const OptimizerChoice& choice) {
  const Config own;
  return {.beta1 = given(choice.beta1, own.beta1),
          .beta2 = given(choice.beta2, own.beta2),
          .eps = given(choice.eps, own.eps),
          .weight_decay = choice.weight_decay};
}

}  // namespace

AnyOptimizer::Optimizer AnyOptimizer::make(const TrainedParams& params,
                                           const OptimizerChoice& choice) {
  const double decay = choice.weight_decay;
  switch (choice.kind) {
    case OptimizerKind::adam:
      return Adam(params, adam_config<AdamConfig>(choice));
    case OptimizerKind::adamw:
      return AdamW(params, adam_config<AdamWConfig>(choice));
    case OptimizerKind::sgd:
      return Sgd(params, {.momentum = choice.beta1, .weight_decay = decay});
    case OptimizerKind::adagrad:
      return Adagrad(params,
                     {.eps = given(choice.eps, AdagradConfig{}.eps), .weight_decay = decay});
    case OptimizerKind::adadelta:
      return Adadelta(params, {.rho = given(choice.beta2, AdadeltaConfig{}.rho),
                               .eps = given(choice.eps, AdadeltaConfig{}.eps),
                               .weight_decay = decay});
    case OptimizerKind::lion:
      return Lion(params, {.beta1 = given(choice.beta1, LionConfig{}.beta1),
                           .beta2 = given(choice.beta2, LionConfig{}.beta2),
                           .weight_decay = decay});
    case OptimizerKind::adafactor:
      FOVEA_CHECK(decay == 0, ErrorKind::bad_setting,
                  "train.weight_decay: adafactor has none, found ", decay);
      return Adafactor(params);
  }
  fail(ErrorKind::internal, "train.optimizer: no such kind");
}

AnyOptimizer::AnyOptimizer(const TrainedParams& params, const OptimizerChoice& choice)
    : optimizer_(make(params, choice)) {}

void AnyOptimizer::step(const Gradients& gradients, double learning_rate) {
  std::visit([&](auto& optimizer) { optimizer.step(gradients, learning_rate); }, optimizer_);
}

std::vector<NamedTensor> AnyOptimizer::states() const {
  return std::visit([](const auto& optimizer) { return optimizer.states(); }, optimizer_);
}

void AnyOptimizer::load(const Params::Source& source) {
  std::visit([&](auto& optimizer) { optimizer.load(source); }, optimizer_);
}

}  // namespace fovea
