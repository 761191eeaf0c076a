#pragma once

#include "fovea/ops/convolution.h"
#include "fovea/ops/op_samples.h"

namespace fovea {

template <>
struct Samples<op::Convolution> {
  static std::vector<Sample> make() {
    const auto over_sequences = [](std::initializer_list<Dim> lengths, Window window, Dim groups) {
      return
          [segments = Segments::of_lengths(lengths), window, groups](const std::vector<Var>& in) {
            return conv1d(in[0], segments, in[1], in.size() > 2 ? in[2] : Var(), window, groups);
          };
    };
    const auto over_images = [](ImageShape images, Window2d window, Dim groups) {
      return [images, window, groups](const std::vector<Var>& in) {
        return conv2d(in[0], images, in[1], in.size() > 2 ? in[2] : Var(), window, groups);
      };
    };
    const auto inputs = [](Dim rows, Dim channels, Shape weight) {
      return std::vector{normal_sample({rows, channels}, 1), normal_sample(weight, 2, 0.5),
                         normal_sample({weight[0]}, 3)};
    };
    const Window2d three = {Window::same(3), Window::same(3)};
    const Window2d strided = {{.size = 2, .stride = 2, .before = 1},
                              {.size = 3, .dilation = 2, .before = 1, .after = 2}};
    return {
        {"same", inputs(8, 3, {5, 3, 3}), over_sequences({3, 0, 1, 4}, Window::same(3), 1)},
        {"causal, dilated", inputs(8, 3, {2, 3, 2}),
         over_sequences({5, 3}, Window::causal(2, 2), 1)},
        {"valid, strided", inputs(8, 2, {3, 2, 3}),
         over_sequences({2, 6}, {.size = 3, .stride = 2}, 1)},
        {"no bias",
         {normal_sample({5, 2}, 1), normal_sample({3, 2, 2}, 2)},
         over_sequences({5}, Window::same(2), 1)},
        {"groups", inputs(5, 4, {6, 2, 3}), over_sequences({3, 2}, Window::same(3), 2)},
        {"a filter a channel", inputs(6, 5, {5, 1, 3}),
         over_sequences({4, 2}, Window::causal(3), 5)},
        {"no rows", inputs(0, 3, {2, 3, 3}), over_sequences({0, 0}, Window::same(3), 1)},
        {"images", inputs(2 * 3 * 4, 2, {3, 2, 3, 3}), over_images({2, 3, 4}, three, 1)},
        {"images, strided and dilated", inputs(5 * 6, 2, {3, 2, 2, 3}),
         over_images({1, 5, 6}, strided, 1)},
        {"images, a filter a channel", inputs(3 * 4, 3, {3, 1, 3, 3}),
         over_images({1, 3, 4}, three, 3)},
        {"no images", inputs(0, 2, {3, 2, 3, 3}), over_images({0, 3, 4}, three, 1)},
    };
  }
};

template <>
struct Samples<op::RowsUnder> {
  static std::vector<Sample> make() {
    const auto with = [](Windows windows) {
      return [windows](const std::vector<Var>& in) { return rows_under(in[0], windows); };
    };
    const auto over = [](std::initializer_list<Dim> lengths, Window window) {
      return Windows(Segments::of_lengths(lengths), window);
    };
    return {
        {"same", {normal_sample({8, 5}, 1)}, with(over({3, 0, 1, 4}, Window::same(3)))},
        {"causal", {normal_sample({8, 3}, 2)}, with(over({5, 3}, Window::causal(4)))},
        {"given",
         {normal_sample({4, 3}, 3)},
         with(Windows(4, Tensor::of<std::int32_t>({2, 3}, {-1, 2, 2, 0, -1, 3})))},
        {"no rows", {normal_sample({0, 3}, 1)}, with(over({0, 0}, Window::same(3)))},
    };
  }
};

}  // namespace fovea
