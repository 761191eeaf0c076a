/// Optimizers over all parameters of a model at once.
///
///   Adam optimizer(params, {.beta2 = 0.98, .eps = 1e-9});
///   optimizer.step(backward(loss), learning_rate);
///
/// A parameter that has no gradient in a step is left alone in that step. A gradient by rows (of an
/// embedding) gives the bits that the whole gradient would give, without the whole being made.
/// states() are the tensors to write to a checkpoint, load() takes up from there. The formulas and
/// their sources are in kernels/optimizer.h.
#pragma once

#include "fovea/train/optimizer_state.h"

namespace fovea {

struct SgdConfig {
  double momentum = 0;
  bool nesterov = false;
  double weight_decay = 0;
};

class Sgd : public OptimizerState {
 public:
  explicit Sgd(const TrainedParams& params, SgdConfig config = {});
  void step(const Gradients& gradients, double learning_rate);

 private:
  SgdConfig config_;
};

struct AdamConfig {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;  // added to the gradient
};

class Adam : public OptimizerState {
 public:
  explicit Adam(const TrainedParams& params, AdamConfig config = {});
  void step(const Gradients& gradients, double learning_rate);

 private:
  AdamConfig config_;
};

struct AdamWConfig {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;  // of the weights, beside the gradient
};

class AdamW : public OptimizerState {
 public:
  explicit AdamW(const TrainedParams& params, AdamWConfig config = {});
  void step(const Gradients& gradients, double learning_rate);

 private:
  AdamWConfig config_;
};

struct AdagradConfig {
  double eps = 1e-10;
  double weight_decay = 0;
};

class Adagrad : public OptimizerState {
 public:
  explicit Adagrad(const TrainedParams& params, AdagradConfig config = {});
  void step(const Gradients& gradients, double learning_rate);

 private:
  AdagradConfig config_;
};

struct AdadeltaConfig {
  double rho = 0.95;
  double eps = 1e-6;
  double weight_decay = 0;
};

class Adadelta : public OptimizerState {
 public:
  explicit Adadelta(const TrainedParams& params, AdadeltaConfig config = {});
  void step(const Gradients& gradients, double learning_rate);

 private:
  AdadeltaConfig config_;
};

struct LionConfig {
  double beta1 = 0.9;
  double beta2 = 0.99;
  double weight_decay = 0;
};

class Lion : public OptimizerState {
 public:
  explicit Lion(const TrainedParams& params, LionConfig config = {});
  void step(const Gradients& gradients, double learning_rate);

 private:
  LionConfig config_;
};

}  // namespace fovea
