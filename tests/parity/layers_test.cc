/// Layers against PyTorch's: outputs and all gradients.
#include "fovea/nn/convolution.h"
#include "fovea/nn/embedding.h"
#include "fovea/nn/linear.h"
#include "fovea/nn/norm.h"
#include "fovea/nn/recurrent.h"
#include "fovea/ops/rope.h"
#include "fovea/ops/rows.h"
#include "tests/parity/fixture.h"

namespace fovea {
namespace {

/// In both precisions: the fixtures are exact to those of float32.
class Layers : public ::testing::TestWithParam<DType> {
 protected:
  Fixture open(const std::string& name) const { return Fixture(name, GetParam()); }
  double tolerance() const { return GetParam() == DType::f32 ? 1e-5 : 1e-6; }

  /// The output, and the gradients of the parameters and of the input x.
  void expect_parity(const Fixture& fixture, const Params& params, const Var& x,
                     const Var& y) const {
    expect_close(y.value(), fixture["output"], tolerance());
    const Gradients gradients = backward(y, {.seed = fixture["input.seed"]});
    expect_gradients(fixture, params, gradients, tolerance());
    if (!x.defined()) return;
    SCOPED_TRACE("the gradient of the input");
    expect_close(gradients[x], fixture["grad.input.x"], tolerance());
  }
};

INSTANTIATE_TEST_SUITE_P(Both, Layers, ::testing::Values(DType::f32, DType::f64),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST_P(Layers, Linear) {
  const std::pair<const char*, Activation> kinds[] = {{"linear", Activation::none},
                                                      {"linear_relu", Activation::relu},
                                                      {"linear_gelu", Activation::gelu}};
  for (const auto& [name, activation] : kinds) {
    SCOPED_TRACE(name);
    const Fixture fixture = open(name);
    Params params(fixture.source(), fixture.dtype());
    const Linear layer(params.scope(), 7, 5, {.activation = activation});
    const Var x = fixture.input("x");
    expect_parity(fixture, params, x, layer(x));
  }
}

TEST_P(Layers, LayerNorm) {
  const Fixture fixture = open("layer_norm");
  Params params(fixture.source(), fixture.dtype());
  const LayerNorm layer(params.scope(), 13);
  const Var x = fixture.input("x");
  expect_parity(fixture, params, x, layer(x));
}

TEST_P(Layers, RmsNorm) {
  const Fixture fixture = open("rms_norm");
  Params params(fixture.source(), fixture.dtype());
  const RmsNorm layer(params.scope(), 13);
  const Var x = fixture.input("x");
  expect_parity(fixture, params, x, layer(x));
}

TEST_P(Layers, BatchNorm) {
  const Fixture fixture = open("batch_norm");
  Params params(fixture.source(), fixture.dtype());
  const BatchNorm layer(params.scope(), 5);
  const Var x = fixture.input("x");
  Rng rng;
  expect_parity(fixture, params, x, layer(x, {.rng = &rng}));
  expect_close(layer.running_mean.value(), fixture["output.running_mean"], tolerance());
  expect_close(layer.running_var.value(), fixture["output.running_var"], tolerance());
  expect_close(layer(x, {}).value(), fixture["output.eval"], tolerance());
}

TEST_P(Layers, Embedding) {
  const Fixture fixture = open("embedding");
  Params params(fixture.source(), fixture.dtype());
  const Embedding layer(params.scope(), 11, 6);
  expect_parity(fixture, params, {}, layer(fixture["input.ids"]));
}

/// The states of all layers and directions, one below the other, as PyTorch stacks them.
Tensor stacked(const std::vector<Var>& states) {
  return reshape(concat_rows(states),
                 {static_cast<Dim>(states.size()), states[0].rows(), states[0].cols()})
      .value();
}

TEST_P(Layers, Lstm) {
  const Fixture fixture = open("lstm");
  Params params(fixture.source(), fixture.dtype());
  const Lstm layer(params.scope(), 6, 4, {.layers = 2, .bidirectional = true});
  const Var x = fixture.input("x");
  const Lstm::Output out = layer(x, fixture.segments(), {});
  std::vector<Var> h, c;
  for (const LstmState& state : out.states) {
    h.push_back(state.h);
    c.push_back(state.c);
  }
  expect_close(stacked(h), fixture["output.last"], tolerance());
  expect_close(stacked(c), fixture["output.cell"], tolerance());
  expect_parity(fixture, params, x, out.rows);
}

TEST_P(Layers, Gru) {
  const Fixture fixture = open("gru");
  Params params(fixture.source(), fixture.dtype());
  const Gru layer(params.scope(), 6, 4, {.layers = 2, .bidirectional = true});
  const Var x = fixture.input("x");
  const Gru::Output out = layer(x, fixture.segments(), {});
  expect_close(stacked(out.states), fixture["output.last"], tolerance());
  expect_parity(fixture, params, x, out.rows);
}

TEST_P(Layers, Conv1d) {
  const std::pair<const char*, Window> kinds[] = {
      {"conv1d_s1_p2_d1", {.size = 5, .before = 2, .after = 2}},
      {"conv1d_s2_p0_d1", {.size = 5, .stride = 2}},
      {"conv1d_s1_p2_d2", {.size = 3, .dilation = 2, .before = 2, .after = 2}}};
  for (const auto& [name, window] : kinds) {
    SCOPED_TRACE(name);
    const Fixture fixture = open(name);
    Params params(fixture.source(), fixture.dtype());
    const Conv1d layer(params.scope(), 4, 6, window);
    const Var x = fixture.input("x");
    const Tensor lengths = fixture["output.lengths"];
    EXPECT_EQ(windowed(fixture.segments(), window), Segments::of_lengths(lengths.span<Dim>()));
    expect_parity(fixture, params, x, layer(x, fixture.segments()));
  }
}

TEST_P(Layers, Conv2d) {
  const std::pair<const char*, Window> kinds[] = {{"conv2d_s1_p1", {.before = 1, .after = 1}},
                                                  {"conv2d_s2_p0", {.stride = 2}}};
  for (const auto& [name, axis] : kinds) {
    SCOPED_TRACE(name);
    const Fixture fixture = open(name);
    Params params(fixture.source(), fixture.dtype());
    Window2d window{axis, axis};
    window.height.size = 3;
    window.width.size = 2;
    const Conv2d layer(params.scope(), 3, 4, window);
    const Var x = fixture.input("x");
    expect_parity(fixture, params, x, layer(x, {.count = 2, .height = 6, .width = 5}));
  }
}

TEST_P(Layers, Rope) {
  const std::pair<const char*, RopeLayout> kinds[] = {
      {"rope_halves", RopeLayout::halves}, {"rope_interleaved", RopeLayout::interleaved}};
  for (const auto& [name, layout] : kinds) {
    SCOPED_TRACE(name);
    const Fixture fixture = open(name);
    const Var x = fixture.input("x");
    const Var y = rope(x, fixture["input.positions"], {.width = 8, .layout = layout});
    expect_parity(fixture, Params(1), x, y);
  }
}

}  // namespace
}  // namespace fovea
