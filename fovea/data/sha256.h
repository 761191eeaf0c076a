#pragma once

#include <filesystem>
#include <string>

namespace fovea {

/// The SHA-256 of a file, in 64 lower-case hexadecimal digits.
std::string sha256_of(const std::filesystem::path& path);

}  // namespace fovea
