#include "fovea/kernels/glu.h"

#include <gtest/gtest.h>

#include "fovea/kernels/glu_plain.h"
#include "fovea/kernels/kernel_testing.h"

namespace fovea::kernels {
namespace {

TEST(Glu, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for (const Glu kind : {Glu::sigmoid, Glu::silu}) {
      for_each_shape(3, [&](Dim rows, Dim cols, Dim misalign) {
        TestRows x(rows, 2 * cols, misalign, 1), y(rows, cols, misalign, 2),
            expected(rows, cols, 0, 2);
        glu(kind, x.view(), y.view());
        plain::glu<float>(kind, x.view(), expected.view());
        expect_near(y.view(), expected.view(), 5e-6F);
        y.expect_guards();
        TestRows dy(rows, cols, misalign, 3), expected_dx(rows, 2 * cols, 0, 4);
        plain::glu_backward<float>(kind, x.view(), dy.view(), expected_dx.view());
        glu_backward(kind, x.view(), dy.view(), x.view());
        expect_near(x.view(), expected_dx.view(), 1e-5F);
        x.expect_guards();
      });
    }
  });
}

}  // namespace
}  // namespace fovea::kernels
