/// What the system finds wrong with a file, for people and as the kind of an error.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include "fovea/base/check.h"

namespace fovea {

/// "runs/m/config.json: Permission denied; ...", and what to do about it where that is known.
std::string message_of(const std::filesystem::filesystem_error& error);

/// not_found if there is no such file, else bad_file.
ErrorKind file_error_kind(const std::error_code& code);
/// Of an errno.
ErrorKind file_error_kind(int error);
/// Of a file that could not be opened.
ErrorKind file_error_kind(const std::filesystem::path& path);

}  // namespace fovea
