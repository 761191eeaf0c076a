/// Adaptive computation time: how often a layer is repeated is learned, for each row by itself.
/// Graves 2016, "Adaptive computation time for recurrent neural networks", 2.1; Dehghani et al.
/// 2019 let each position of a sequence halt by itself.
///
///   p_t = sigmoid(w . s_t + b)                        after step t, of a row's state s_t
///   halts after step n = min { n : p_1 + ... + p_n >= 1 - margin }, and after `steps` at the
///   latest r = 1 - (p_1 + ... + p_n-1)                       the remainder: the last step's share
///   y = p_1 s_1 + ... + p_n-1 s_n-1 + r s_n
///   cost = n + r                                      of pondering, to be made small
///
/// Letters: N rows, W width, T steps.
#pragma once

#include <vector>

#include "fovea/nn/params.h"

namespace fovea {

struct HaltingConfig {
  Dim steps = 6;
  double margin = 0.01;  // so that one step can be enough
};

struct HaltingUnit {
  HaltingConfig config;
  Var weight;  // (1, W)
  Var bias;    // (1): 1 at first, so that a model that knows nothing halts early

  HaltingUnit(Scope s, Dim width, const HaltingConfig& config);
  Var chance(const Var& states) const;  // p: (N, 1)
};

/// The rows of one pass, from step to step.
class Halting {
 public:
  Halting(const HaltingUnit& unit, Dim rows, DType dtype);

  bool running() const { return running_ > 0; }
  /// `before` and `after` a step: (N, W). Gives the states to go on with; those of rows that have
  /// halted stay as they are.
  Var step(const Var& before, const Var& after);

  Var result() const { return sum_; }  // (N, W)
  Var cost() const;                    // of all rows, a single number
  /// The share that each step has in its row's result: (N T, 1).
  const Tensor& shares() const { return shares_; }

 private:
  /// For each row what `value` gives, as a column.
  template <class Value>
  Tensor column(const Value& value) const;

  const HaltingUnit& unit_;
  Dim rows_, running_, step_ = 0;
  DType dtype_;
  std::vector<Dim> steps_;  // that each row has taken to halt; 0: it has not
  Var spent_;               // (N, 1): p_1 + ... up to the last step but one
  Var sum_;
  Tensor shares_;
};

}  // namespace fovea
