/// A tensor and what it is called: what files hold.
#pragma once

#include <string>

#include "fovea/tensor/tensor.h"

namespace fovea {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

}  // namespace fovea
