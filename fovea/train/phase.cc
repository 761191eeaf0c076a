#include "fovea/train/phase.h"

#include <set>

namespace fovea {
namespace {

std::string steps_name(const ParamGroup& group) {
  return group.where.empty() ? "steps" : group.where + ".steps";
}

OptimizerChoice choice_of(const Phase& phase, const ParamGroup& group) {
  OptimizerChoice choice = phase.optimizer;
  if (group.weight_decay) choice.weight_decay = *group.weight_decay;
  return choice;
}

}  // namespace

void check(const std::vector<Phase>& phases) {
  FOVEA_CHECK(!phases.empty(), "train: the task has no phase");
  std::set<std::string> names, parts;
  for (const Phase& phase : phases) {
    const std::string where = concat("train: phase '", phase.name, "': ");
    FOVEA_CHECK(names.insert(phase.name).second, where, "another one has the same name");
    FOVEA_CHECK(!phase.name.empty() || phases.size() == 1, where, "expected a name");
    FOVEA_CHECK(!phase.parts.empty(), where, "expected at least one loss");
    for (const LossPart& part : phase.parts) {
      FOVEA_CHECK(parts.insert(part.name).second, where, "loss '", part.name, "' is named twice");
    }
    FOVEA_CHECK(phase.repeat >= 1, where, "expected at least one update a step, found ",
                phase.repeat);
    FOVEA_CHECK(phase.clip >= 0, where, "clip: expected a norm, found ", phase.clip);
    check(phase.schedule);
  }
}

TrainedParams params_of(Params& params, const Phase& phase) {
  std::vector<Parameter> all;
  std::vector<Dim> found(phase.groups.size());
  for (const Parameter& p : params.all()) {
    if (!p.trained) continue;
    const ParamGroup* first = nullptr;
    for (std::size_t g = 0; g < phase.groups.size(); ++g) {
      const ParamGroup& group = phase.groups[g];
      if (!in_scope(p.name, group.where)) continue;
      FOVEA_CHECK(!first, "train: phase '", phase.name, "': ", p.name, " is in two groups, '",
                  first->where, "' and '", group.where, "'; name scopes that do not overlap");
      first = &group;
      ++found[g];
    }
    if (first) all.push_back(p);
  }
  for (std::size_t g = 0; g < found.size(); ++g) {
    FOVEA_CHECK(found[g] > 0, "train: phase '", phase.name, "': no trained parameter is in '",
                phase.groups[g].where, "'; expected a scope such as '",
                params.all().empty() ? "" : params.all().front().name, "'");
  }
  return {params, std::move(all)};
}

PhaseOptimizer::PhaseOptimizer(Params& params, const Phase& phase) {
  for (const ParamGroup& group : phase.groups) {
    groups_.push_back({group, AnyOptimizer({params, group.where}, choice_of(phase, group))});
  }
}

void PhaseOptimizer::step(const Gradients& gradients, double learning_rate) {
  for (Group& one : groups_) one.optimizer.step(gradients, learning_rate * one.group.rate);
}

std::vector<NamedTensor> PhaseOptimizer::states() const {
  std::vector<NamedTensor> all;
  for (const Group& one : groups_) {
    for (NamedTensor& state : one.optimizer.states()) {
      if (state.name == "steps") state.name = steps_name(one.group);
      all.push_back(std::move(state));
    }
  }
  return all;
}

void PhaseOptimizer::load(const Params::Source& source) {
  for (Group& one : groups_) {
    one.optimizer.load([&](const std::string& name) {
      return source(name == "steps" ? steps_name(one.group) : name);
    });
  }
}

}  // namespace fovea
