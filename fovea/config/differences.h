/// What has changed between two settings.
#pragma once

#include <string>

#include "fovea/config/config.h"

namespace fovea {

/// "steps 20 -> 40, schedule.rate 0.1 -> 0.2", or "" if nothing differs. What `now` does not have
/// does not count.
std::string differences(const Json& before, const Json& now);

}  // namespace fovea
