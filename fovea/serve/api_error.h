/// What a client gets instead of an answer: the HTTP status of an error.
#pragma once

#include <stdexcept>
#include <string>

#include "fovea/base/check.h"

namespace fovea::serve {

/// The status of an error by its kind. The models' own files are read before anything is served: a
/// file that is bad later came with the request.
inline int http_status(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
    case ErrorKind::bad_setting:
    case ErrorKind::bad_file:
      return 400;
    case ErrorKind::not_found:
      return 404;
    case ErrorKind::too_large:
      return 413;
    case ErrorKind::internal:
      break;
  }
  return 500;
}

/// An error with a status that only HTTP knows, or about a field of the request.
class ApiError : public std::runtime_error {
 public:
  ApiError(int status, const std::string& message, std::string field = {})
      : std::runtime_error(message), status(status), field(std::move(field)) {}
  int status;
  std::string field;  // "" if it is about the whole request
};

/// 400: `field` of the request is not as it should be.
template <class... Parts>
[[noreturn]] void wrong(const std::string& field, const Parts&... parts) {
  throw ApiError(400, concat(field, ": ", parts...), field);
}

}  // namespace fovea::serve
