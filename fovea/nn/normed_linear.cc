#include "fovea/nn/normed_linear.h"

#include <cmath>

#include "fovea/kernels/reduce.h"
#include "fovea/ops/linear.h"
#include "fovea/ops/spectral_norm.h"

namespace fovea {
namespace {

Init lengths_of(const Tensor& rows) {
  return [rows](Tensor& lengths, const Draws&) {
    with_real("weight norm", rows.dtype(), [&](auto zero) {
      using T = decltype(zero);
      const Rows<const T> v = rows.view<T>();
      for (Dim r = 0; r < v.rows; ++r) {
        lengths.mutable_data<T>()[r] =
            static_cast<T>(std::sqrt(kernels::sum_of_squares(v[r], v.cols)));
      }
    });
  };
}

}  // namespace

NormedLinear::NormedLinear(Scope s, Dim in, Dim out, double spread)
    : direction(s.param("direction", {out, in},
                        init::normal(std::sqrt(spread / static_cast<double>(in))))),
      length(s.param("length", {out}, lengths_of(direction.value()))),
      bias(s.param("bias", {out}, init::zeros())),
      packed(s.packed([v = direction, g = length] {
        const NoTape no_tape;
        return weight_norm(v, g).value();
      })) {}

Var NormedLinear::operator()(const Var& x) const {
  // What was packed is W itself; beside it the direction only tells its shape.
  if (*packed && !recording()) return linear(x, direction, bias, {.packed = &**packed});
  return linear(x, weight_norm(direction, length), bias);
}

}  // namespace fovea
