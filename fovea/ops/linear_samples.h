#pragma once

#include "fovea/ops/linear.h"
#include "fovea/ops/matmul.h"
#include "fovea/ops/op_samples.h"

namespace fovea {

template <>
struct Samples<op::Linear> {
  static std::vector<Sample> make() {
    const auto with = [](Activation f, float drop = 0) {
      return [=](const std::vector<Var>& in) {
        return linear(in[0], in[1], in[2], {.activation = f, .dropout = {drop, {5, 6}}});
      };
    };
    const auto inputs = [](Dim rows, Dim in, Dim out) {
      return std::vector{normal_sample({rows, in}, 1), normal_sample({out, in}, 2, 0.5),
                         normal_sample({out}, 3)};
    };
    return {{"plain", inputs(5, 7, 3), with(Activation::none), 1},
            {"no bias",
             {normal_sample({4, 6}, 1), normal_sample({9, 6}, 2)},
             [](const std::vector<Var>& in) { return linear(in[0], in[1]); },
             1},
            {"relu", inputs(4, 5, 9), with(Activation::relu), 1},
            {"gelu", inputs(4, 5, 9), with(Activation::gelu), 1},
            {"gelu_tanh", inputs(4, 5, 9), with(Activation::gelu_tanh), 1},
            {"silu", inputs(4, 5, 9), with(Activation::silu), 1},
            {"tanh", inputs(4, 5, 9), with(Activation::tanh), 1},
            {"sigmoid", inputs(4, 5, 9), with(Activation::sigmoid), 1},
            {"dropout", inputs(4, 5, 9), with(Activation::none, 0.3F)},
            {"relu, dropout", inputs(4, 5, 9), with(Activation::relu, 0.3F)},
            {"gelu, dropout", inputs(4, 5, 9), with(Activation::gelu, 0.3F)},
            {"tanh, dropout", inputs(4, 5, 9), with(Activation::tanh, 0.3F)},
            {"one row", inputs(1, 19, 33), with(Activation::relu), 1},
            {"no rows", inputs(0, 5, 3), with(Activation::gelu), 1},
            {"no inputs", inputs(3, 0, 2), with(Activation::none), 1}};
  }
};

template <>
struct Samples<op::Matmul> {
  static std::vector<Sample> make() {
    const auto run = [](bool ta, bool tb) {
      return [ta, tb](const std::vector<Var>& in) { return matmul(in[0], in[1], {ta, tb}); };
    };
    return {
        {"plain", {normal_sample({4, 7}, 1), normal_sample({7, 3}, 2)}, run(false, false), 1},
        {"a transposed", {normal_sample({7, 4}, 1), normal_sample({7, 3}, 2)}, run(true, false)},
        {"b transposed", {normal_sample({4, 7}, 1), normal_sample({3, 7}, 2)}, run(false, true), 1},
        {"both transposed", {normal_sample({7, 4}, 1), normal_sample({3, 7}, 2)}, run(true, true)},
        {"empty", {normal_sample({0, 7}, 1), normal_sample({7, 3}, 2)}, run(false, false)}};
  }
};

}  // namespace fovea
