/// For tests of errors.
#pragma once

#include <optional>

#include "fovea/base/check.h"

namespace fovea {

/// The kind of the exception that `act` throws; none if it throws nothing.
template <class Act>
std::optional<ErrorKind> kind_thrown_by(Act&& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error_kind(error);
  }
  return {};
}

}  // namespace fovea
