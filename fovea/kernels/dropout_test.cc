#include "fovea/kernels/dropout.h"

#include <gtest/gtest.h>

#include "fovea/kernels/dropout_plain.h"
#include "fovea/kernels/kernel_testing.h"

namespace fovea::kernels {
namespace {

// The twin draws with Draws::block, so this holds the vector Philox to it bit for bit.
TEST(Dropout, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for (const float p : {0.0F, 0.1F, 0.5F, 1.0F}) {
      const Dropout config{p, {.seed = 0x123456789ABCDEFU, .site = 0xFEDCBA987654321U}};
      for_each_shape(1, [&](Dim rows, Dim n, Dim misalign) {
        TestRows x(rows, n, misalign, 1), y(rows, n, misalign, 2), expected(rows, n, 0, 2);
        dropout(config, x.view()[0], y.view()[0], n);
        plain::dropout<float>(config, x.view()[0], expected.view()[0], n);
        expect_near(y.view(), expected.view(), 0);
        y.expect_guards();
      });
      TestRows x(1, 5003, 0, 1), expected(1, 5003, 0, 2);  // several parts
      plain::dropout<float>(config, x.view()[0], expected.view()[0], 5003);
      dropout(config, x.view()[0], x.view()[0], 5003);
      expect_near(x.view(), expected.view(), 0);
    }
  });
}

TEST(Dropout, DropsAsManyAsAsked) {
  const Dim n = 1 << 20;
  std::vector<float> x(n, 1);
  dropout({0.3F, {.seed = 5}}, x.data(), x.data(), n);
  double kept = 0;
  for (const float v : x) kept += v;
  EXPECT_NEAR(kept / n, 1, 0.005);  // five standard deviations are 0.0032
}

TEST(Dropout, HasTheSameBitsOnAnyThreads) {
  const std::vector<float> x(100003, 1);
  expect_same_bits_on_any_threads([&] {
    std::vector<float> y(x.size());
    dropout({0.3F, {.seed = 5}}, x.data(), y.data(), static_cast<Dim>(x.size()));
    return y;
  });
}

}  // namespace
}  // namespace fovea::kernels
