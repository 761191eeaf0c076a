#include "fovea/kernels/instruction_sets.h"

#include <gtest/gtest.h>

#include "fovea/base/check.h"
#include "fovea/kernels/targets.h"
#include "hwy/highway.h"
#include "hwy/targets.h"

namespace fovea::kernels {
namespace {

/// Which function HWY_DYNAMIC_DISPATCH calls where a CPU has these targets.
std::size_t index_for(std::int64_t targets) {
  hwy::ChosenTarget chosen;
  chosen.Update(targets);
  return chosen.GetIndex();
}

TEST(InstructionSets, EachSetOfThisCpuCanBeUsed) {
  const std::vector<std::string> all = instruction_sets();
  ASSERT_FALSE(all.empty());
  for (std::size_t i = 0; i < all.size(); ++i) {
    use_instruction_set(all[i]);
    EXPECT_EQ(hwy::GetChosenTarget().GetIndex(), index_for(hwy::SupportedTargets()));
    EXPECT_EQ(instruction_sets(),
              std::vector(all.begin() + static_cast<std::ptrdiff_t>(i), all.end()));
    use_best_instruction_set();
    EXPECT_EQ(instruction_sets(), all);
  }
}

TEST(InstructionSets, AnUnknownNameIsAnErrorThatListsThoseOfThisCpu) {
  const std::vector<std::string> all = instruction_sets();
  for (const char* name : {"AVX9", "avx2", ""}) {
    try {
      use_instruction_set(name);
      ADD_FAILURE() << "no error for '" << name << "'";
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("FOVEA_INSTRUCTIONS"), std::string::npos) << text;
      EXPECT_NE(text.find(all.front()), std::string::npos) << text;
    }
  }
  EXPECT_EQ(instruction_sets(), all);
}

}  // namespace
}  // namespace fovea::kernels
