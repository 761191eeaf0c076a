#include "fovea/base/file_error.h"

namespace fovea {
namespace {

const char* what_to_do(const std::error_code& code) {
  if (code == std::errc::permission_denied || code == std::errc::operation_not_permitted) {
    return "; name another place, or let this user read and write there (chmod, chown)";
  }
  if (code == std::errc::read_only_file_system) return "; name another place";
  if (code == std::errc::no_space_on_device) return "; make room, or name another place";
  if (code == std::errc::not_a_directory || code == std::errc::file_exists) {
    return "; a file stands where a folder should; name another place, or move it away";
  }
  return "";
}

}  // namespace

std::string message_of(const std::filesystem::filesystem_error& error) {
  std::string places = error.path1().string();
  if (!error.path2().empty()) places += concat(" -> ", error.path2().string());
  if (!places.empty()) places += ": ";
  return concat(places, error.code().message(), what_to_do(error.code()));
}

ErrorKind file_error_kind(const std::error_code& code) {
  const bool missing =
      code == std::errc::no_such_file_or_directory || code == std::errc::not_a_directory;
  return missing ? ErrorKind::not_found : ErrorKind::bad_file;
}

ErrorKind file_error_kind(int error) {
  return file_error_kind(std::error_code(error, std::generic_category()));
}

ErrorKind file_error_kind(const std::filesystem::path& path) {
  std::error_code none;
  const bool missing =
      std::filesystem::status(path, none).type() == std::filesystem::file_type::not_found;
  return missing ? ErrorKind::not_found : ErrorKind::bad_file;
}

}  // namespace fovea
