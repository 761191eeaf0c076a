/// What has changed between two settings.
#pragma once

#include <string>

#include "fovea/config/config.h"

namespace fovea {

/// "steps 20 -> 40, schedule.rate 0.1 -> 0.2", or "" if nothing differs. Only what both have
/// counts: a setting may be younger than the file that `before` was read from.
std::string differences(const Json& before, const Json& now);

}  // namespace fovea
