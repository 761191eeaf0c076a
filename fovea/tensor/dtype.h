/// The types of a tensor's elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string_view>

#include "fovea/base/check.h"

namespace fovea {

/// f32 is what models compute in, f64 what gradients are checked in, f16 and bf16 are for storage,
/// i32 is for ids, i64 and u8 for what files hold.
enum class DType : std::uint8_t { f32, f64, f16, bf16, i32, i64, u8 };

/// Sixteen bits that only kernels/convert.h looks into.
struct Half {
  std::uint16_t bits;
};
struct BFloat {
  std::uint16_t bits;
};

std::string_view name_of(DType dtype);
std::size_t size_of(DType dtype);
std::ostream& operator<<(std::ostream& out, DType dtype);

template <class T>
inline constexpr DType dtype_of = [] { static_assert(sizeof(T) == 0, "not an element type"); }();
template <>
inline constexpr DType dtype_of<float> = DType::f32;
template <>
inline constexpr DType dtype_of<double> = DType::f64;
template <>
inline constexpr DType dtype_of<Half> = DType::f16;
template <>
inline constexpr DType dtype_of<BFloat> = DType::bf16;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::i32;
template <>
inline constexpr DType dtype_of<std::int64_t> = DType::i64;
template <>
inline constexpr DType dtype_of<std::uint8_t> = DType::u8;

/// Calls f(T()) with T = float or double, the types that ops compute in; `op` is for the message.
///   return with_real("softmax", x.dtype(), [&](auto t) { using T = decltype(t); ... });
template <class F>
decltype(auto) with_real(std::string_view op, DType dtype, F&& f) {
  if (dtype == DType::f32) return f(float());
  FOVEA_CHECK(dtype == DType::f64, op, ": expected f32 or f64, found ", name_of(dtype));
  return f(double());
}

}  // namespace fovea
