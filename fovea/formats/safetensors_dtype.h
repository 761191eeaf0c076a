/// What safetensors files call the types of elements.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "fovea/tensor/dtype.h"

namespace fovea {

inline constexpr std::array<std::pair<std::string_view, DType>, 7> safetensors_dtypes = {{
    {"F32", DType::f32},
    {"F64", DType::f64},
    {"F16", DType::f16},
    {"BF16", DType::bf16},
    {"I32", DType::i32},
    {"I64", DType::i64},
    {"U8", DType::u8},
}};

/// None for a type that tensors cannot hold.
inline std::optional<DType> safetensors_dtype(std::string_view name) {
  for (const auto& [known, dtype] : safetensors_dtypes) {
    if (known == name) return dtype;
  }
  return std::nullopt;
}

inline std::string_view safetensors_name(DType dtype) {
  for (const auto& [name, known] : safetensors_dtypes) {
    if (known == dtype) return name;
  }
  fail(ErrorKind::internal, "safetensors: no name for ", name_of(dtype));
}

}  // namespace fovea
