/// Of what matrix products of floats are made: of the floats, or of bfloat16, as models are often
/// trained. A bfloat16 is the upper half of a float, 8 significant bits instead of 24: machines
/// multiply twice as many of them at a time, with AMX (amx.h) a whole matrix. Sums, and all that is
/// not a product, stay floats.
#pragma once

#include <array>
#include <string_view>

namespace fovea::kernels {

enum class Products { float32, bfloat16 };
constexpr std::array<std::string_view, 2> names_of(Products) { return {"float32", "bfloat16"}; }

/// Whether this CPU multiplies bfloat16 (AVX512_BF16). Where it does not, floats are multiplied.
bool can_multiply_bfloat16();

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

/// As they are made now: bfloat16 only where it can be multiplied.
Products products();

}  // namespace fovea::kernels
