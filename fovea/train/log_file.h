/// A file that grows, and that a resumed run takes up where its checkpoint left it.
#pragma once

#include <filesystem>
#include <string_view>

#include "fovea/base/view.h"

namespace fovea {

class LogFile {
 public:
  /// Cuts off what stands after the first `bytes` bytes.
  LogFile(const std::filesystem::path& path, Dim bytes);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// False if it could not be written (the disk is full): then the file is as before.
  bool append(std::string_view text);
  /// What was written will be there after a loss of power.
  void sync();
  Dim bytes() const { return bytes_; }

 private:
  int fd_ = -1;
  Dim bytes_ = 0;
};

}  // namespace fovea
