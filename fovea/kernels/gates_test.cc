#include "fovea/kernels/gates.h"

#include <gtest/gtest.h>

#include "fovea/kernels/gates_plain.h"
#include "fovea/kernels/kernel_testing.h"

namespace fovea::kernels {
namespace {

TEST(Lstm, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for_each_shape(2, [&](Dim N, Dim H, Dim misalign) {
      TestRows gates(N, 4 * H, misalign, 1), c_prev(N, H, misalign, 2), c(N, H, misalign, 3),
          h(N, H, misalign, 4);
      TestRows gates2(N, 4 * H, misalign, 1), c2(N, H, misalign, 3), h2(N, H, misalign, 4);
      lstm(gates.view(), c_prev.view(), c.view(), h.view());
      plain::lstm<float>(gates2.view(), c_prev.view(), c2.view(), h2.view());
      expect_near(gates.view(), gates2.view(), 1e-6F);
      expect_near(c.view(), c2.view(), 2e-6F);
      expect_near(h.view(), h2.view(), 2e-6F);
      for (TestRows* rows : {&gates, &c, &h}) rows->expect_guards();

      TestRows dh(N, H, misalign, 5), dc(N, H, misalign, 6), dgates(N, 4 * H, misalign, 7),
          dc_prev(N, H, misalign, 8);
      for (const bool along_c : {true, false}) {
        plain::lstm_backward<float>({gates.view(), c_prev.view(), c.view(), dh.view(),
                                     along_c ? dc.view() : Rows<float>{}, dgates.view(),
                                     dc_prev.view()});
        // The gradient in the memory of the gates, and of dc.
        TestRows gates_too(N, 4 * H, misalign, 1), c_too(N, H, misalign, 3), h_too(N, H, 0, 4);
        lstm(gates_too.view(), c_prev.view(), c_too.view(), h_too.view());
        lstm_backward({gates_too.view(), c_prev.view(), c.view(), dh.view(),
                       along_c ? dc.view() : Rows<float>{}, gates_too.view(), dc.view()});
        expect_near(gates_too.view(), dgates.view(), 3e-6F);
        expect_near(dc.view(), dc_prev.view(), 3e-6F);
        gates_too.expect_guards();
        dc.expect_guards();
      }
    });
  });
}

TEST(Gru, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for_each_shape(2, [&](Dim N, Dim H, Dim misalign) {
      TestRows gates(N, 3 * H, misalign, 1), gates2(N, 3 * H, misalign, 1),
          u(N, 3 * H, misalign, 2), h_prev(N, H, misalign, 3), h(N, H, misalign, 4),
          h2(N, H, misalign, 4);
      gru(gates.view(), u.view(), h_prev.view(), h.view());
      plain::gru<float>(gates2.view(), u.view(), h_prev.view(), h2.view());
      expect_near(gates.view(), gates2.view(), 2e-6F);
      expect_near(h.view(), h2.view(), 2e-6F);
      gates.expect_guards();
      h.expect_guards();

      TestRows dh(N, H, misalign, 5), dx(N, 3 * H, misalign, 6), du(N, 3 * H, misalign, 7),
          dh_prev(N, H, misalign, 8);
      plain::gru_backward<float>(
          {gates.view(), u.view(), h_prev.view(), dh.view(), dx.view(), du.view(), dh_prev.view()});
      gru_backward(
          {gates.view(), u.view(), h_prev.view(), dh.view(), gates.view(), u.view(), dh.view()});
      expect_near(gates.view(), dx.view(), 3e-6F);
      expect_near(u.view(), du.view(), 3e-6F);
      expect_near(dh.view(), dh_prev.view(), 3e-6F);
      for (TestRows* rows : {&gates, &u, &dh}) rows->expect_guards();
    });
  });
}

}  // namespace
}  // namespace fovea::kernels
