/// The libraries that the program stands on.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fovea::app {

/// Name and version: of the library that is loaded where it tells, else of the one built with.
std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace fovea::app
