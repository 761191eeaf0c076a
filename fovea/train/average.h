/// Averages of weights: along the run, and over checkpoints. Both are often better than the last.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fovea/nn/named_tensor.h"
#include "fovea/train/trained_params.h"

namespace fovea {

/// a <- d a + (1 - d) w after each step, with d = min(decay, (1 + n) / (10 + n)) at step n, so that
/// the average is not held back by where it began. Polyak and Juditsky 1992, "Acceleration of
/// stochastic approximation by averaging"; the decay as Szegedy et al. 2016, "Rethinking the
/// inception architecture", section 8, use it.
class WeightAverage {
 public:
  WeightAverage(const TrainedParams& params, double decay);
  void update(Dim step);
  /// Exchanges the averages and the weights; again, and all is as it was.
  void swap();

  std::vector<NamedTensor> states() const;  // called as the parameters are
  void load(const Params::Source& source);

 private:
  struct Pair {
    std::string name;
    Tensor weight, average;
  };

  Params* params_;
  double decay_;
  std::vector<Pair> pairs_;
};

/// While one lives, the parameters are these averages.
class Averaged {
 public:
  explicit Averaged(std::vector<WeightAverage*> averages);
  ~Averaged();
  Averaged(const Averaged&) = delete;
  Averaged& operator=(const Averaged&) = delete;

 private:
  std::vector<WeightAverage*> averages_;
};

/// While one lives, the parameters (or only the buffers among them) may become anything; then they
/// are what they were.
class Parked {
 public:
  enum class Which { all, buffers };
  explicit Parked(Params& params, Which which = Which::all);
  ~Parked();
  Parked(const Parked&) = delete;
  Parked& operator=(const Parked&) = delete;

 private:
  Params& params_;
  std::vector<std::pair<Tensor, Tensor>> before_;  // a parameter's value, and a copy of it
};

/// Writes the tensor of each name over the parameter of that name.
void load_weights(Params& params, const Params::Source& source);
/// Of all parameters, and sharing their memory.
std::vector<NamedTensor> weights_of(const Params& params);

/// The mean of each parameter over the sources, summed in double precision in their order. Junczys-
/// Dowmunt et al. 2016, "The AMU-UEDIN submission to the WMT16 news translation task"; Vaswani et
/// al. 2017, 6.1.
void load_mean(Params& params, const std::vector<Params::Source>& sources);

}  // namespace fovea
