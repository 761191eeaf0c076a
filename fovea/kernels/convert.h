/// Numbers from one format to another. Rounds to the nearest, to even between two; beyond the range
/// is infinity; NaN stays NaN. Halves and bfloats are their bits.
#pragma once

#include <cstdint>

#include "fovea/base/view.h"

namespace fovea::kernels {

/// IEEE 754 binary16: 5 bits of exponent, 10 of fraction.
void half_to_float(const std::uint16_t* x, float* y, Dim count);
void float_to_half(const float* x, std::uint16_t* y, Dim count);

/// bfloat16: the upper half of a float.
void bfloat_to_float(const std::uint16_t* x, float* y, Dim count);
void float_to_bfloat(const float* x, std::uint16_t* y, Dim count);

void double_to_float(const double* x, float* y, Dim count);
void float_to_double(const float* x, double* y, Dim count);

}  // namespace fovea::kernels
