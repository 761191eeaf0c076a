/// What a client is told instead of an answer.
#pragma once

#include <stdexcept>
#include <string>

#include "fovea/base/check.h"

namespace fovea::serve {

class ApiError : public std::runtime_error {
 public:
  ApiError(int status, const std::string& message, std::string field = {})
      : std::runtime_error(message), status(status), field(std::move(field)) {}
  int status;
  std::string field;  // of the request, if one was wrong
};

/// 400: `field` of the request is not as it should be.
template <class... Parts>
[[noreturn]] void wrong(const std::string& field, const Parts&... parts) {
  throw ApiError(400, concat(field, ": ", parts...), field);
}

}  // namespace fovea::serve
