#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace fovea {

/// Called with the name and the bytes of a file.
using TarVisitor = std::function<void(const std::string& name, std::string&& bytes)>;

/// Every regular file of an archive in its order (POSIX ustar, plain, gzip or xz); folders and
/// links are passed over. An Error says where an archive is damaged or cut off.
void read_tar(const std::filesystem::path& path, const TarVisitor& visit);

}  // namespace fovea
