/// A file that appears whole or not at all: written beside its place, synced, then renamed. Whoever
/// is killed in between leaves the old file as it was.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace fovea {

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  /// Without commit, nothing has happened.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);
  /// The file is in its place, and stays there when the power fails.
  void commit();

 private:
  void check(bool done, const char* what) const;

  std::filesystem::path path_, beside_;
  int fd_ = -1;
};

/// A whole file at once.
void write_atomically(const std::filesystem::path& path, std::string_view contents);

/// The same for a file that a user named. Of a link, what it points to is replaced; what cannot be
/// replaced (a pipe, /dev/stdout) is written to.
void write_output(const std::filesystem::path& path, std::string_view contents);
/// An Error if that is bound to fail: to be known before a long computation.
void check_output(const std::filesystem::path& path);

}  // namespace fovea
