/// Which instructions the kernels run on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fovea::kernels {

/// Those that the kernels were built for and this CPU has, the one that is used first: "AVX2".
std::vector<std::string> instruction_sets();

/// The environment variable that the program reads: the instruction set for the kernels to use.
inline constexpr const char* instructions_variable = "FOVEA_INSTRUCTIONS";

/// Makes the kernels use this set: floating-point sums have other bits on other sets. An Error if
/// it is not one of instruction_sets(). Call it before any kernel runs: it is not thread-safe.
void use_instruction_set(std::string_view name);
/// Makes the kernels use the best set of this CPU, the default.
void use_best_instruction_set();

}  // namespace fovea::kernels
