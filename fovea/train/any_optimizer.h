/// The optimizer that a recipe names.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "fovea/train/adafactor.h"
#include "fovea/train/optimizers.h"

namespace fovea {

enum class OptimizerKind { adam, adamw, sgd, adagrad, adadelta, lion, adafactor };
constexpr std::array<std::string_view, 7> names_of(OptimizerKind) {
  return {"adam", "adamw", "sgd", "adagrad", "adadelta", "lion", "adafactor"};
}

/// Of beta1, beta2 and eps, 0 means what the optimizer has by itself (optimizers.h). What an
/// optimizer has no use for it ignores.
struct OptimizerChoice {
  OptimizerKind kind = OptimizerKind::adam;
  double beta1 = 0;  // the momentum of sgd
  double beta2 = 0;  // the rho of adadelta
  double eps = 0;
  double weight_decay = 0;
};

class AnyOptimizer {
 public:
  AnyOptimizer(const TrainedParams& params, const OptimizerChoice& choice);

  void step(const Gradients& gradients, double learning_rate);
  std::vector<NamedTensor> states() const;
  void load(const Params::Source& source);

 private:
  using Optimizer = std::variant<Adam, AdamW, Sgd, Adagrad, Adadelta, Lion, Adafactor>;
  static Optimizer make(const TrainedParams& params, const OptimizerChoice& choice);

  Optimizer optimizer_;
};

}  // namespace fovea
