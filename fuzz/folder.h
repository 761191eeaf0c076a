/// What all fuzzers share: files of bytes that somebody made up, and the promise that a reader
/// either reads them or throws an Error.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "fovea/base/check.h"

namespace fovea::fuzz {

/// A folder of this process in memory, gone when it ends.
class Folder {
 public:
  Folder() : path_(std::filesystem::path("/dev/shm") / concat("fovea-fuzz.", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary).write(bytes.data(), std::ssize(bytes));
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// Any other exception than an Error, and any crash, is a finding.
template <class Read>
int expect_read_or_error(const Read& read) {
  try {
    read();
  } catch (const Error&) {
  }
  return 0;
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace fovea::fuzz
