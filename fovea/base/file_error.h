/// What the standard library found wrong with a file, in words for people.
#pragma once

#include <filesystem>
#include <string>

namespace fovea {

/// "runs/m/config.json: Permission denied; ...", and what to do about it where that is known.
std::string message_of(const std::filesystem::filesystem_error& error);

}  // namespace fovea
