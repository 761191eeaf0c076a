#include "fovea/base/check.h"

#include <new>

#include "fovea/base/file_error.h"

namespace fovea {

ErrorKind error_kind(const std::exception& error) {
  if (const auto* own = dynamic_cast<const Error*>(&error)) return own->kind();
  if (dynamic_cast<const std::bad_alloc*>(&error)) return ErrorKind::too_large;
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    return file_error_kind(file->code());
  }
  return ErrorKind::internal;
}

void throw_error(const std::string& message, ErrorKind kind) { throw Error(message, kind); }

}  // namespace fovea
