#include "fovea/train/average.h"

#include "fovea/train/trainer_testing.h"

namespace fovea {
namespace {

TEST(WeightAverage, FollowsTheWeights) {
  Params params(1, DType::f64);
  const Var w = params.scope().param("w", {1}, init::zeros());
  double* weight = params.all()[0].var.mutable_value().mutable_data<double>();
  WeightAverage average(params, 0.9);
  double expected = 0;
  for (Dim step = 1; step <= 200; ++step) {
    *weight = static_cast<double>(step);
    average.update(step);
    const double n = static_cast<double>(step), decay = std::min(0.9, (1 + n) / (10 + n));
    expected = decay * expected + (1 - decay) * n;
  }
  EXPECT_NEAR(average.states()[0].tensor.item(), expected, 1e-10);
  average.swap();
  EXPECT_NEAR(w.item(), expected, 1e-10);
  average.swap();
  EXPECT_EQ(w.item(), 200);
  EXPECT_THROW(WeightAverage(params, 1.5), Error);
}

TEST(WeightAverage, TheMeanOfModelsIsOfEachNumber) {
  Params params(1);
  const Var w = params.scope().param("w", {2}, init::zeros());
  const auto source = [](float a, float b) -> Params::Source {
    return [=](const std::string&) { return Tensor::of<float>({2}, {a, b}); };
  };
  {
    const Parked parked(params);
    load_mean(params, {source(1, 2), source(2, 5), source(6, -1)});
    EXPECT_TRUE(identical(w.value(), Tensor::of<float>({2}, {3, 2})));
  }
  EXPECT_TRUE(identical(w.value(), Tensor::zeros({2})));
  EXPECT_THROW(load_mean(params, {[](const std::string&) { return Tensor(); }}), Error);
}

}  // namespace
}  // namespace fovea
