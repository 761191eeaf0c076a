/// Dropout as its definition says it: the twin that the vector code is tested against, and the path
/// of double precision.
#pragma once

#include "fovea/kernels/dropout.h"

namespace fovea::kernels::plain {

inline bool keeps(const Dropout& config, Dim element) {
  const auto i = static_cast<std::uint64_t>(element);
  const std::uint32_t word = config.draws.block(i / 8)[i / 2 % 4];
  const auto drawn = static_cast<std::int32_t>(i % 2 == 0 ? word & 0xFFFFU : word >> 16);
  return drawn >= config.threshold();
}

template <class T>
T growth(const Dropout& config) {
  return config.probability < 1 ? 1 / (1 - T(config.probability)) : T(0);
}

template <class T>
void dropout(const Dropout& config, const T* x, T* y, Dim count) {
  for (Dim i = 0; i < count; ++i) y[i] = keeps(config, i) ? x[i] * growth<T>(config) : T(0);
}

}  // namespace fovea::kernels::plain
