#include "fovea/base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/base/file_error.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

/// False, and errno says why, if not all could be written.
bool write_all(int fd, const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(fd, from, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    from += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

/// Whether a path is written to, not replaced. /dev/stdout may be a link to an ordinary file, but
/// who reads that holds it open already.
bool is_written_to(const fs::path& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  return fs::exists(status) && (path.string().starts_with("/dev/") || !fs::is_regular_file(status));
}

/// Where a file is replaced.
fs::path behind_links(const fs::path& path) {
  std::error_code none;
  if (!fs::is_symlink(path, none)) return path;
  fs::path file = fs::canonical(path, none);
  return none ? path : file;
}

std::string system_reason() { return std::generic_category().message(errno); }

/// A file that may not be written could still be renamed over, which its owner does not expect.
void check_place(const fs::path& path) {
  std::error_code none;
  FOVEA_CHECK(path.has_filename() && !fs::is_directory(path, none), ErrorKind::bad_file,
              path.string(), ": is a folder; name a file to write");
  FOVEA_CHECK(::access(path.c_str(), W_OK) == 0 || errno == ENOENT, ErrorKind::bad_file,
              path.string(), ": cannot be written: ", system_reason());
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), beside_(concat(path_.string(), ".", ::getpid(), ".part")) {
  fd_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  check(fd_ >= 0, "created");
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(beside_.c_str());
}

void AtomicFile::check(bool done, const char* what) const {
  FOVEA_CHECK(done, file_error_kind(errno), path_.string(), ": cannot be ", what, ": ",
              system_reason());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  check(write_all(fd_, data, bytes), "written");
}

void AtomicFile::commit() {
  check(::fsync(fd_) == 0, "synced");
  check(::rename(beside_.c_str(), path_.c_str()) == 0, "renamed");
  ::close(std::exchange(fd_, -1));
  // The new name is an entry of the directory, which is synced on its own.
  const std::filesystem::path parent = path_.has_parent_path() ? path_.parent_path() : ".";
  const int directory = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  check(directory >= 0, "synced");
  const bool synced = ::fsync(directory) == 0 || errno == EINVAL;  // some file systems cannot
  ::close(directory);
  check(synced, "synced");
}

void write_atomically(const std::filesystem::path& path, std::string_view contents) {
  AtomicFile file(path);
  file.write(contents.data(), contents.size());
  file.commit();
}

void write_output(const fs::path& path, std::string_view contents) {
  check_place(path);
  if (!is_written_to(path)) return write_atomically(behind_links(path), contents);
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  FOVEA_CHECK(fd >= 0, file_error_kind(errno), path.string(),
              ": cannot be opened: ", system_reason());
  const bool written = write_all(fd, contents.data(), contents.size());
  const std::string reason = system_reason();
  ::close(fd);
  FOVEA_CHECK(written, ErrorKind::bad_file, path.string(), ": cannot be written: ", reason);
}

void check_output(const fs::path& path) {
  check_place(path);
  if (is_written_to(path)) return;
  std::error_code none;
  const fs::path folder = path.parent_path();
  FOVEA_CHECK(folder.empty() || fs::status(folder, none).type() != fs::file_type::not_found,
              ErrorKind::not_found, path.string(), ": there is no folder ", folder.string(),
              " to write it to; make it first");
  const AtomicFile tried(behind_links(path));
}

}  // namespace fovea
