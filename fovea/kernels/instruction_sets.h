/// Which instructions the kernels run on.
#pragma once

#include <string>
#include <vector>

namespace fovea::kernels {

/// Those that the kernels were built for and this CPU has, the one that is used first: "AVX2".
std::vector<std::string> instruction_sets();

}  // namespace fovea::kernels
