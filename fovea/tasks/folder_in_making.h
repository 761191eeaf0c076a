/// A folder that appears whole or not at all: made beside its place, and gone unless it is done.
#pragma once

#include <filesystem>

namespace fovea {

class FolderInMaking {
 public:
  /// An Error if there is something of that name.
  explicit FolderInMaking(const std::filesystem::path& to);
  ~FolderInMaking();
  FolderInMaking(const FolderInMaking&) = delete;
  FolderInMaking& operator=(const FolderInMaking&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void done() const { std::filesystem::rename(path_, to_); }

 private:
  std::filesystem::path to_, path_;
};

}  // namespace fovea
