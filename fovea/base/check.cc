#include "fovea/base/check.h"

namespace fovea {

void throw_error(const std::string& message) { throw Error(message); }

}  // namespace fovea
