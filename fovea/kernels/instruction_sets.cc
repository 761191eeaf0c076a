#include "fovea/kernels/instruction_sets.h"

#include <cstdint>

#include "fovea/base/check.h"
#include "fovea/kernels/targets.h"
#include "hwy/highway.h"
#include "hwy/targets.h"

namespace fovea::kernels {
namespace {

/// Highway gives a better target the lower bit.
std::vector<std::int64_t> supported_targets() {
  std::vector<std::int64_t> all;
  for (std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS; targets != 0;
       targets &= targets - 1) {
    all.push_back(targets & -targets);
  }
  return all;
}

/// The targets that SupportedTargets() gives; 0: all of this CPU. hwy::DisableTargets() is not
/// enough: in Highway 1.0 each later call of SupportedTargets() chooses among all of them again.
void choose_among(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::int64_t target : supported_targets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

void use_instruction_set(std::string_view name) {
  std::string names;
  for (const std::int64_t target : supported_targets()) {
    if (hwy::TargetName(target) == name) {
      return choose_among(hwy::SupportedTargets() & ~(target - 1));
    }
    names += concat(names.empty() ? "" : ", ", hwy::TargetName(target));
  }
  fail(ErrorKind::bad_setting, instructions_variable, ": expected an instruction set of this CPU (",
       names, "), found '", name, "'");
}

void use_best_instruction_set() { choose_among(0); }

}  // namespace fovea::kernels
