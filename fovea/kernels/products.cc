#include "fovea/kernels/products.h"

#include <atomic>

namespace fovea::kernels {
namespace {

std::atomic<Products> asked{Products::float32};

}  // namespace

ProductsOf::ProductsOf(Products products) : before_(asked.exchange(products)) {}
ProductsOf::~ProductsOf() { asked = before_; }

Products products() {
  return asked == Products::bfloat16 && can_multiply_bfloat16() ? Products::bfloat16
                                                                : Products::float32;
}

Products weight_products() {
  return asked == Products::int8 && can_multiply_int8() ? Products::int8 : products();
}

}  // namespace fovea::kernels
