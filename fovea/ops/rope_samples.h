#pragma once

#include "fovea/ops/op_samples.h"
#include "fovea/ops/rope.h"

namespace fovea {

template <>
struct Samples<op::Rotate> {
  static std::vector<Sample> make() {
    const auto run = [](Tensor positions, Rope config) {
      return [=](const std::vector<Var>& in) { return rope(in[0], positions, config); };
    };
    const Tensor positions = Tensor::of<std::int32_t>({5}, {0, 1, 2, 7, 1});
    return {
        {"halves", {normal_sample({5, 12}, 1)}, run(positions, {.width = 6})},
        {"interleaved",
         {normal_sample({5, 12}, 2)},
         run(positions, {.width = 4, .base = 100, .layout = RopeLayout::interleaved})},
        {"empty", {normal_sample({0, 4}, 3)}, run(Tensor::empty({0}, DType::i32), {.width = 2})}};
  }
};

}  // namespace fovea
