#include "fovea/tasks/folder_in_making.h"

#include <unistd.h>

#include "fovea/base/check.h"

namespace fovea {

FolderInMaking::FolderInMaking(const std::filesystem::path& to)
    : to_(std::filesystem::absolute(to).lexically_normal()) {
  if (!to_.has_filename()) to_ = to_.parent_path();
  FOVEA_CHECK(!std::filesystem::exists(to_), to_.string(),
              ": is there already; name another folder, or remove it");
  path_ = to_;
  path_ += concat(".partial-", ::getpid());
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  // Of the folder that was asked for: nobody knows the one beside it.
  if (error) throw std::filesystem::filesystem_error("create", to_, error);
}

FolderInMaking::~FolderInMaking() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

}  // namespace fovea
