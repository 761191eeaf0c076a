/// Conversions bit by bit: the twin that the vector code is tested against.
#pragma once

#include <bit>
#include <cmath>

#include "fovea/kernels/convert.h"

namespace fovea::kernels::plain {

inline float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16, exponent = half >> 10 & 0x1FU;
  const std::uint32_t fraction = half & 0x3FFU;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);
  if (exponent == 0) {
    const float small = std::ldexp(static_cast<float>(fraction), -24);
    return sign ? -small : small;
  }
  return std::bit_cast<float>(sign | (exponent + 127 - 15) << 23 | fraction << 13);
}

inline std::uint16_t float_to_half(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits >> 16 & 0x8000U, size = bits & 0x7FFFFFFFU;
  std::uint32_t half = 0;
  if (size > 0x7F800000U) {  // NaN
    half = 0x7E00U | (size >> 13 & 0x3FFU);
  } else if (size >= 0x477FF000U) {  // 65520 rounds past the largest, 65504
    half = 0x7C00U;
  } else if (size >= 0x38800000U) {  // 2^-14 and above: normal; a carry moves into the exponent
    const std::uint32_t rounded = size + 0xFFFU + (size >> 13 & 1U);
    half = (rounded >> 13) - ((127 - 15) << 10);
  } else {  // in units of 2^-24; adding 1.5 * 2^23 rounds to a whole number, to even between two
    const float units = std::bit_cast<float>(size) * 0x1p24F + 0x1.8p23F;
    half = std::bit_cast<std::uint32_t>(units) & 0x7FFU;
  }
  return static_cast<std::uint16_t>(sign | half);
}

inline float bfloat_to_float(std::uint16_t x) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16);
}

inline std::uint16_t float_to_bfloat(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const bool nan = (bits & 0x7FFFFFFFU) > 0x7F800000U;
  const std::uint32_t rounded = nan ? bits | 0x400000U : bits + 0x7FFFU + (bits >> 16 & 1U);
  return static_cast<std::uint16_t>(rounded >> 16);
}

}  // namespace fovea::kernels::plain
