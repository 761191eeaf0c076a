#include "fovea/train/log_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "fovea/base/check.h"

namespace fovea {

LogFile::LogFile(const std::filesystem::path& path, Dim bytes) {
  fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  FOVEA_CHECK(fd_ >= 0, ErrorKind::bad_file, path.string(),
              ": cannot be written: ", std::generic_category().message(errno));
  bytes_ = std::min<Dim>(bytes, ::lseek(fd_, 0, SEEK_END));
  FOVEA_CHECK(::ftruncate(fd_, bytes_) == 0, ErrorKind::bad_file, path.string(),
              ": cannot be cut to ", bytes_, " bytes: ", std::generic_category().message(errno));
}

LogFile::~LogFile() { ::close(fd_); }

bool LogFile::append(std::string_view text) {
  Dim at = bytes_;
  while (!text.empty()) {
    const ssize_t written = ::pwrite(fd_, text.data(), text.size(), at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      [[maybe_unused]] const int cut =
          ::ftruncate(fd_, bytes_);  // if not, the next one goes over it
      return false;
    }
    at += written;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  bytes_ = at;
  return true;
}

void LogFile::sync() { ::fsync(fd_); }

}  // namespace fovea
