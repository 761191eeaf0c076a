/// Ten steps of training against PyTorch's: every loss, and all parameters at the end.
#include "fovea/train/optimizers.h"
#include "fovea/nn/embedding.h"
#include "fovea/nn/linear.h"
#include "fovea/ops/loss.h"
#include "fovea/train/adafactor.h"
#include "fovea/train/clip.h"
#include "tests/parity/fixture.h"

namespace fovea {
namespace {

/// Small, but with an embedding (a gradient by rows), matrices and vectors.
struct Model {
  Embedding embed;
  Linear hidden, out;

  explicit Model(Scope s)
      : embed(s / "embed", 9, 4),
        hidden(s / "hidden", 4, 6, {.activation = Activation::tanh}),
        out(s / "out", 6, 3) {}

  Var operator()(const Tensor& ids) const { return out(hidden(embed(ids))); }
};

class Optimizers : public ::testing::TestWithParam<DType> {
 protected:
  template <class Optimizer, class Config>
  void expect_parity(const std::string& name, double learning_rate, const Config& config) const {
    SCOPED_TRACE(name);
    // Single precision adds up rounding over the steps, which division by small roots magnifies.
    const double tolerance = GetParam() == DType::f32 ? 1e-4 : 1e-6;
    const Fixture fixture("optimizer_" + name, GetParam());
    Params params(fixture.source(), GetParam());
    const Model model(params.scope());
    Optimizer optimizer(params, config);
    const Tensor ids = fixture["input.ids"], targets = fixture["input.targets"];
    std::vector<double> losses, norms;
    for (Dim step = 0; step < 10; ++step) {
      const Var y = model(ids.slice(step, step + 1).reshape({8}));
      const Var loss = mse(y, targets.slice(step, step + 1).reshape({8, 3}));
      losses.push_back(loss.item());
      Gradients gradients = backward(loss);
      if (name == "adamw_clip") norms.push_back(clip_norm(gradients, params, 0.2));
      optimizer.step(gradients, learning_rate);
    }
    expect_close(Tensor::from<double>({10}, losses), fixture["output.losses"], tolerance);
    if (!norms.empty()) {
      expect_close(Tensor::from<double>({10}, norms), fixture["output.norms"], tolerance);
    }
    for (const Parameter& p : params.all()) {
      SCOPED_TRACE(p.name);
      expect_close(p.var.value(), fixture["output." + p.name], tolerance);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Both, Optimizers, ::testing::Values(DType::f32, DType::f64),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST_P(Optimizers, Sgd) {
  expect_parity<Sgd>("sgd", 0.1, SgdConfig{.momentum = 0.9, .weight_decay = 0.01});
  expect_parity<Sgd>("sgd_nesterov", 0.1, SgdConfig{.momentum = 0.9, .nesterov = true});
}
TEST_P(Optimizers, Adam) {
  expect_parity<Adam>("adam", 0.05, AdamConfig{.beta2 = 0.98, .eps = 1e-9});
  expect_parity<Adam>("adam_l2", 0.05, AdamConfig{.weight_decay = 0.1});
}
TEST_P(Optimizers, AdamW) {
  expect_parity<AdamW>("adamw", 0.05, AdamWConfig{.weight_decay = 0.1});
  expect_parity<AdamW>("adamw_clip", 0.05, AdamWConfig{.weight_decay = 0.1});
}
TEST_P(Optimizers, Adagrad) { expect_parity<Adagrad>("adagrad", 0.1, AdagradConfig{}); }
TEST_P(Optimizers, Adadelta) { expect_parity<Adadelta>("adadelta", 1, AdadeltaConfig{.rho = 0.9}); }
TEST_P(Optimizers, Lion) { expect_parity<Lion>("lion", 0.02, LionConfig{.weight_decay = 0.1}); }
TEST_P(Optimizers, Adafactor) { expect_parity<Adafactor>("adafactor", 0.1, AdafactorConfig{}); }

}  // namespace
}  // namespace fovea
