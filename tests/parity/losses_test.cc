/// Losses against PyTorch's: the number and its gradient.
#include "fovea/ops/loss.h"
#include "fovea/ops/softmax.h"
#include "tests/parity/fixture.h"

namespace fovea {
namespace {

class Losses : public ::testing::TestWithParam<DType> {
 protected:
  /// loss(logits, targets)
  template <class Loss>
  void expect_parity(const std::string& name, Loss&& loss) const {
    SCOPED_TRACE(name);
    const double tolerance = GetParam() == DType::f32 ? 1e-5 : 1e-6;
    const Fixture fixture(name, GetParam());
    const Var logits = fixture.input("logits");
    const Var y = loss(logits, fixture["input.targets"]);
    expect_close(y.value(), fixture["loss"], tolerance);
    expect_close(backward(y)[logits], fixture["grad.input.logits"], tolerance);
  }
};

INSTANTIATE_TEST_SUITE_P(Both, Losses, ::testing::Values(DType::f32, DType::f64),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST_P(Losses, CrossEntropy) {
  expect_parity("cross_entropy",
                [](const Var& x, const Tensor& targets) { return cross_entropy(x, targets); });
  expect_parity("cross_entropy_smoothed", [](const Var& x, const Tensor& targets) {
    return cross_entropy(x, targets, {.smoothing = 0.1});
  });
}

TEST_P(Losses, BinaryCrossEntropy) {
  expect_parity("bce", [](const Var& x, const Tensor& targets) {
    return binary_cross_entropy_with_logits(x, targets.to(x.dtype()));
  });
}

TEST_P(Losses, KlDivergence) {
  expect_parity("kl", [](const Var& x, const Tensor& targets) {
    return kl_divergence(log_softmax(x), targets);
  });
}

}  // namespace
}  // namespace fovea
