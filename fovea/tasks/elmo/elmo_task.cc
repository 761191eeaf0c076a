#include "fovea/tasks/elmo/elmo_runner.h"
#include "fovea/tasks/elmo/elmo_workload.h"

namespace fovea {

extern constexpr Task elmo_task = {.name = "elmo",
                                   .training = legacy_training<ElmoRecipe, ElmoWorkload>,
                                   .load = load_runner<ElmoRunner>};

}  // namespace fovea
