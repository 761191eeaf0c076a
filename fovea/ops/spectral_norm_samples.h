#pragma once

#include <cmath>

#include "fovea/ops/op_samples.h"
#include "fovea/ops/spectral_norm.h"

namespace fovea {

template <>
struct Samples<op::SpectralNorm> {
  static std::vector<Sample> make() {
    const auto with_vectors = [](Dim rows, Dim cols) {
      return [=](const std::vector<Var>& in) {
        const Tensor u =
            Tensor::full({rows}, 1 / std::sqrt(static_cast<double>(rows)), in[0].dtype());
        return spectral_norm(in[0], {u, normal_sample({cols}, 9).to(in[0].dtype())});
      };
    };
    return {{"matrix", {normal_sample({5, 7}, 1)}, with_vectors(5, 7)},
            {"filters", {normal_sample({4, 3, 2}, 2)}, with_vectors(4, 6)},
            {"empty", {normal_sample({0, 3}, 3)}, with_vectors(0, 3)}};
  }
};

template <>
struct Samples<op::WeightNorm> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) { return weight_norm(in[0], in[1]); };
    return {{"matrix", {normal_sample({5, 7}, 1), normal_sample({5}, 2)}, run, 2},
            {"filters", {normal_sample({4, 3, 2}, 3), normal_sample({4}, 4)}, run, 2},
            {"empty", {normal_sample({0, 3}, 5), normal_sample({0}, 6)}, run, 2}};
  }
};

}  // namespace fovea
