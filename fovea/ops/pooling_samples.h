#pragma once

#include "fovea/ops/op_samples.h"
#include "fovea/ops/pooling.h"

namespace fovea {

template <>
struct Samples<op::MaxPool> {
  static std::vector<Sample> make() {
    const auto sequences = [](const std::vector<Var>& in) {
      return max_pool1d(in[0], Segments::of_lengths({4, 0, 1, 2}), Window::same(3));
    };
    const auto images = [](const std::vector<Var>& in) {
      const Window half = {.size = 2, .stride = 2}, wide = {.size = 3, .stride = 2, .before = 1};
      return max_pool2d(in[0], {2, 4, 5}, {half, wide});
    };
    const auto empty = [](const std::vector<Var>& in) {
      return max_pool1d(in[0], Segments::uniform(2, 0), Window::same(3));
    };
    return {{"sequences", {normal_sample({7, 3}, 1)}, sequences},
            {"images", {normal_sample({2 * 4 * 5, 3}, 2)}, images},
            {"empty", {normal_sample({0, 3}, 3)}, empty}};
  }
};

template <>
struct Samples<op::AveragePool> {
  static std::vector<Sample> make() {
    const auto sequences = [](const std::vector<Var>& in) {
      return average_pool1d(in[0], Segments::of_lengths({4, 0, 1, 2}), Window::same(3));
    };
    const auto images = [](const std::vector<Var>& in) {
      const Window half = {.size = 2, .stride = 2}, wide = {.size = 3, .stride = 2, .before = 1};
      return average_pool2d(in[0], {2, 4, 5}, {half, wide});
    };
    const auto empty = [](const std::vector<Var>& in) {
      return average_pool2d(in[0], {0, 4, 5}, {Window::same(3), Window::same(3)});
    };
    return {{"sequences", {normal_sample({7, 3}, 1)}, sequences},
            {"images", {normal_sample({2 * 4 * 5, 3}, 2)}, images},
            {"empty", {normal_sample({0, 3}, 3)}, empty}};
  }
};

}  // namespace fovea
