#include "fovea/kernels/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/kernels/kernel_testing.h"
#include "fovea/kernels/optimizer_plain.h"

namespace fovea::kernels {
namespace {

/// A weight, its gradient and two states that hold what they may: no negative squares.
struct Parameter {
  TestRows g, m, v, w;
  Parameter(Dim n, Dim misalign)
      : g(1, n, misalign, 1), m(1, n, misalign, 2), v(1, n, misalign, 3), w(1, n, misalign, 4) {
    for (Dim i = 0; i < n; ++i) v.view()[0][i] = std::abs(v.view()[0][i]);
  }
};

/// Three steps by the vector code and by its twin: step(config, parameter), twin(config,
/// parameter).
template <class Step, class Twin>
void expect_equal_steps(Step step, Twin twin) {
  for_each_target([&] {
    for_each_shape(1, [&](Dim, Dim n, Dim misalign) {
      Parameter actual(n, misalign), expected(n, misalign);
      for (int i = 0; i < 3; ++i) {
        step(actual, n);
        twin(expected, n);
      }
      expect_near(actual.w.view(), expected.w.view(), 5e-6F);
      expect_near(actual.m.view(), expected.m.view(), 5e-6F);
      expect_near(actual.v.view(), expected.v.view(), 1e-5F);
      for (TestRows* rows : {&actual.w, &actual.m, &actual.v}) rows->expect_guards();
    });
  });
}

TEST(Optimizer, SgdEqualsItsTwin) {
  const Sgd<float> plain_config{.rate = 0.1F, .weight_decay = 0.01F, .gradient_scale = 0.5F};
  for (const bool nesterov : {false, true}) {
    Sgd<float> config = plain_config;
    config.momentum = 0.9F;
    config.nesterov = nesterov;
    expect_equal_steps(
        [&](Parameter& p, Dim n) { sgd(config, p.g.view()[0], p.m.view()[0], p.w.view()[0], n); },
        [&](Parameter& p, Dim n) {
          plain::sgd<float>(config, p.g.view()[0], p.m.view()[0], p.w.view()[0], n);
        });
  }
  expect_equal_steps(
      [&](Parameter& p, Dim n) { sgd(plain_config, p.g.view()[0], nullptr, p.w.view()[0], n); },
      [&](Parameter& p, Dim n) {
        plain::sgd<float>(plain_config, p.g.view()[0], nullptr, p.w.view()[0], n);
      });
}

TEST(Optimizer, AdamEqualsItsTwin) {
  for (const bool decoupled : {false, true}) {
    const Adam<float> config{.rate = 0.01F,
                             .weight_decay = 0.1F,
                             .decoupled = decoupled,
                             .correction1 = 0.1F,
                             .correction2 = 0.3F,
                             .gradient_scale = 0.5F};
    expect_equal_steps(
        [&](Parameter& p, Dim n) {
          adam(config, p.g.view()[0], p.m.view()[0], p.v.view()[0], p.w.view()[0], n);
        },
        [&](Parameter& p, Dim n) {
          plain::adam<float>(config, p.g.view()[0], p.m.view()[0], p.v.view()[0], p.w.view()[0], n);
        });
  }
}

TEST(Optimizer, AdagradEqualsItsTwin) {
  const Adagrad<float> config{.weight_decay = 0.1F, .gradient_scale = 0.5F};
  expect_equal_steps(
      [&](Parameter& p, Dim n) { adagrad(config, p.g.view()[0], p.v.view()[0], p.w.view()[0], n); },
      [&](Parameter& p, Dim n) {
        plain::adagrad<float>(config, p.g.view()[0], p.v.view()[0], p.w.view()[0], n);
      });
}

TEST(Optimizer, AdadeltaEqualsItsTwin) {
  const Adadelta<float> config{.weight_decay = 0.1F, .gradient_scale = 0.5F};
  const auto square = [](Parameter& p, Dim n) {  // its other state is a square too
    for (Dim i = 0; i < n; ++i) p.m.view()[0][i] = std::abs(p.m.view()[0][i]);
  };
  expect_equal_steps(
      [&](Parameter& p, Dim n) {
        square(p, n);
        adadelta(config, p.g.view()[0], p.v.view()[0], p.m.view()[0], p.w.view()[0], n);
      },
      [&](Parameter& p, Dim n) {
        square(p, n);
        plain::adadelta<float>(config, p.g.view()[0], p.v.view()[0], p.m.view()[0], p.w.view()[0],
                               n);
      });
}

TEST(Optimizer, LionEqualsItsTwin) {
  const Lion<float> config{.rate = 0.01F, .weight_decay = 0.1F, .gradient_scale = 0.5F};
  const auto still = [](Parameter& p, Dim n) {  // nothing to do where both are 0
    if (n > 2) p.g.view()[0][2] = p.m.view()[0][2] = 0;
  };
  expect_equal_steps(
      [&](Parameter& p, Dim n) {
        still(p, n);
        lion(config, p.g.view()[0], p.m.view()[0], p.w.view()[0], n);
      },
      [&](Parameter& p, Dim n) {
        still(p, n);
        plain::lion<float>(config, p.g.view()[0], p.m.view()[0], p.w.view()[0], n);
      });
}

}  // namespace
}  // namespace fovea::kernels
