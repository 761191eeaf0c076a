/// Of what matrix products of floats are made: of the floats, of bfloat16, as models are often
/// trained, or of int8, as they are often run. A bfloat16 is the upper half of a float, 8
/// significant bits instead of 24: machines multiply twice as many of them at a time, with AMX
/// (amx.h) a whole matrix. An int8 is a whole number between -127 and 127, to be scaled as the
/// largest of its row needs it: four times as many at a time, and weights a quarter of the size.
/// Sums, and all that is not a product, stay floats.
#pragma once

#include <array>
#include <string_view>

namespace fovea::kernels {

enum class Products { float32, bfloat16, int8 };
constexpr std::array<std::string_view, 3> names_of(Products) {
  return {"float32", "bfloat16", "int8"};
}

/// Whether this CPU multiplies bfloat16 (AVX512_BF16). Where it does not, floats are multiplied.
bool can_multiply_bfloat16();
/// The same of int8 (AVX512_VNNI).
bool can_multiply_int8();

/// While it lives, products of the whole process are made so; what was packed before stays as it
/// is. Not for two threads that disagree.
class ProductsOf {
 public:
  explicit ProductsOf(Products products);
  ~ProductsOf();
  ProductsOf(const ProductsOf&) = delete;
  ProductsOf& operator=(const ProductsOf&) = delete;

 private:
  Products before_;
};

/// As they are made now: bfloat16 only where it can be multiplied. Never int8, which is for weights
/// that do not change.
Products products();
/// As they are made with such weights: int8 too, if it was asked for and can be multiplied.
Products weight_products();

}  // namespace fovea::kernels
