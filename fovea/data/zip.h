#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace fovea {

/// The bytes of one file of a zip archive, stored or deflated, checked by its CRC. An Error says
/// what is missing, damaged or packed in another way.
std::string read_zip(const std::filesystem::path& path, std::string_view name);

}  // namespace fovea
