/// What one update of a run changes, and how. Most runs have one phase: all parameters, by all
/// losses. Players of a game (a GAN) take turns: in each step, each phase takes the same batches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fovea/train/any_optimizer.h"
#include "fovea/train/schedule.h"
#include "fovea/train/trained_params.h"

namespace fovea {

/// One of the losses that a run makes small: a mean over what it counts, times its weight. With
/// several tasks on shared layers each has its own.
struct LossPart {
  std::string name;  // "loss", "loss.r2l", "alignment"
  double weight = 1;
};

/// Parameters with a learning rate of their own.
struct ParamGroup {
  std::string where;                        // a scope, as "encoder"; "": all
  double rate = 1;                          // times the phase's learning rate
  std::optional<double> weight_decay = {};  // none: the optimizer's
};

struct Phase {
  std::string name = {};                    // "" if it is the only one
  std::vector<ParamGroup> groups = {{""}};  // other parameters are left alone
  std::vector<LossPart> parts = {};
  OptimizerChoice optimizer = {};
  ScheduleConfig schedule = {};
  double clip = 0;     // the largest norm of the gradients of all groups; 0: any
  double average = 0;  // decay of the running average of its parameters; 0: none
  Dim repeat = 1;      // updates in a row
};

/// Which update of a run: numbers of its step, of its phase in the step, and of its turn among the
/// phase's repeated ones.
struct UpdateIndex {
  Dim step = 0, phase = 0, repeat = 0;
};

/// An Error if these phases cannot make a run.
void check(const std::vector<Phase>& phases);

/// The parameters of all groups, in the order of `params`. An Error if a group has none, or shares
/// one with another group.
TrainedParams params_of(Params& params, const Phase& phase);

/// The phase's optimizer. Each group has its own state and rate.
class PhaseOptimizer {
 public:
  PhaseOptimizer(Params& params, const Phase& phase);

  void step(const Gradients& gradients, double learning_rate);
  std::vector<NamedTensor> states() const;
  void load(const Params::Source& source);

 private:
  struct Group {
    ParamGroup group;
    AnyOptimizer optimizer;
  };
  std::vector<Group> groups_;
};

}  // namespace fovea
