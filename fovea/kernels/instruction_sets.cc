#include "fovea/kernels/instruction_sets.h"

#include <cstdint>

#include "fovea/kernels/targets.h"
#include "hwy/highway.h"
#include "hwy/targets.h"

namespace fovea::kernels {

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS; targets != 0;
       targets &= targets - 1) {  // Highway gives the better one the lower bit
    names.emplace_back(hwy::TargetName(targets & -targets));
  }
  return names;
}

}  // namespace fovea::kernels
