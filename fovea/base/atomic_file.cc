#include "fovea/base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "fovea/base/check.h"

namespace fovea {

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
  FOVEA_CHECK(done, path_.string(), ": cannot be ", what, ": ",
              std::generic_category().message(errno));
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(fd_, from, bytes);
    if (written < 0 && errno == EINTR) continue;
    check(written > 0, "written");
    from += written;
    bytes -= static_cast<std::size_t>(written);
  }
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

}  // namespace fovea
