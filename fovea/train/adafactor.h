/// Adafactor: Shazeer and Stern 2018, "Adafactor: adaptive learning rates with sublinear memory
/// cost". For a matrix, only sums over its rows and columns are kept.
#pragma once

#include "fovea/train/optimizer_state.h"

namespace fovea {

/// The names of the paper: Algorithms 4 and 5, with the values of Algorithm 6.
struct AdafactorConfig {
  double decay_exponent = 0.8;  // beta2 = 1 - t^-0.8
  double eps_gradient = 1e-30;  // eps1
  double eps_weight = 1e-3;     // eps2: a weight moves as if it were at least this large
  double clip_threshold = 1;    // d: an update longer than this (root mean square) is shortened
};

/// The learning rate is relative (the paper's rho): a parameter moves by this part of its own root
/// mean square. A tensor of more than two extents is seen as a matrix: the first by all others.
class Adafactor {
 public:
  explicit Adafactor(const TrainedParams& params, AdafactorConfig config = {});
  void step(const Gradients& gradients, double learning_rate);
  std::vector<NamedTensor> states() const;
  void load(const Params::Source& source) { load_states(states(), source); }

 private:
  struct Owner {
    std::string name;
    Var var;
    Tensor row_sums, column_sums;  // of a matrix
    Tensor squares;                // of a vector
  };

  Params* params_;
  AdafactorConfig config_;
  std::vector<Owner> owners_;
  Tensor steps_;  // (parameters) i64
};

}  // namespace fovea
