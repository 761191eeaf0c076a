/// Training of the task "translate": what the loop in train/ drives.
#pragma once

#include <optional>

#include "fovea/tasks/example_workload.h"
#include "fovea/tasks/translate/translate_data.h"

namespace fovea {

/// Validation is the loss of each objective, and the metrics of greedy translations of lines.
class TranslateWorkload : public ExampleTraining<TranslationModel> {
 public:
  TranslateWorkload(const TranslateRecipe& recipe, const RunPlace& place);

  std::vector<Figure> validate() override;
  std::vector<std::string> figure_names() const override;

 private:
  std::optional<TestSet> dev_lines_;
};

}  // namespace fovea
