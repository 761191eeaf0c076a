#pragma once

#include <cmath>

#include "fovea/ops/loss.h"
#include "fovea/ops/op_samples.h"
#include "fovea/ops/reduce.h"

namespace fovea {

inline Tensor some_targets(std::initializer_list<std::int32_t> ids) {
  return Tensor::of<std::int32_t>({static_cast<Dim>(ids.size())}, ids);
}

template <>
struct Samples<op::CrossEntropy> {
  static std::vector<Sample> make() {
    const auto with = [](std::initializer_list<std::int32_t> ids, CrossEntropyOptions options) {
      return [targets = some_targets(ids), options](const std::vector<Var>& in) {
        return cross_entropy(in[0], targets, options);
      };
    };
    return {{"mean", {normal_sample({4, 7}, 1)}, with({0, 6, 3, 3}, {})},
            {"sum, some ignored",
             {normal_sample({4, 19}, 1)},
             with({0, -1, 3, -100}, {.reduction = Reduction::sum})},
            {"mean, some ignored", {normal_sample({4, 19}, 1)}, with({-1, -1, 3, 18}, {})},
            {"smoothed", {normal_sample({3, 7}, 1)}, with({2, 0, -1}, {.smoothing = 0.1})},
            {"all ignored", {normal_sample({2, 7}, 1)}, with({-1, -1}, {})},
            {"empty", {normal_sample({0, 7}, 1)}, with({}, {})}};
  }
};

template <>
struct Samples<op::LinearCrossEntropy> {
  static std::vector<Sample> make() {
    const auto with = [](const Tensor& targets, CrossEntropyOptions options) {
      return [targets, options](const std::vector<Var>& in) {
        return linear_cross_entropy(in[0], in[1], in.size() > 2 ? in[2] : Var(), targets, options);
      };
    };
    const auto inputs = [](Dim rows, Dim classes) {
      return std::vector{normal_sample({rows, 5}, 1), normal_sample({classes, 5}, 2, 0.5),
                         normal_sample({classes}, 3)};
    };
    return {{"mean", inputs(4, 9), with(some_targets({0, 8, 3, 3}), {})},
            {"sum, smoothed, some ignored", inputs(4, 9),
             with(some_targets({0, -1, 3, 2}), {.smoothing = 0.2, .reduction = Reduction::sum})},
            {"no bias",
             {normal_sample({3, 5}, 1), normal_sample({9, 5}, 2)},
             with(some_targets({0, 8, 3}), {})},
            {"empty", inputs(0, 9), with(some_targets({}), {})}};
  }
};

template <>
struct Samples<op::BinaryCrossEntropy> {
  static std::vector<Sample> make() {
    Tensor targets = normal_sample({3, 5}, 9);
    for (Dim i = 0; i < targets.size(); ++i) {
      double& t = targets.mutable_data<double>()[i];
      t = 1 / (1 + std::exp(-4 * t));
    }
    const auto with = [targets](Reduction reduction) {
      return [targets, reduction](const std::vector<Var>& in) {
        const Tensor t = in[0].rows() == 0 ? Tensor::zeros(in[0].shape(), in[0].dtype())
                                           : targets.to(in[0].dtype());
        return binary_cross_entropy_with_logits(in[0], t, reduction);
      };
    };
    return {{"mean", {normal_sample({3, 5}, 1)}, with(Reduction::mean)},
            {"sum", {normal_sample({3, 5}, 1, 5)}, with(Reduction::sum)},
            {"empty", {normal_sample({0, 5}, 1)}, with(Reduction::mean)}};
  }
};

template <>
struct Samples<op::Sum> {
  static std::vector<Sample> make() {
    const auto all = [](const std::vector<Var>& in) { return sum(in[0]); };
    const auto average = [](const std::vector<Var>& in) { return mean(in[0]); };
    const auto squares = [](const std::vector<Var>& in) { return mse(in[0], in[1]); };
    const auto divergence = [](const std::vector<Var>& in) {
      return kl_divergence(in[0], Tensor::full(in[0].shape(), 0.2, in[0].dtype()));
    };
    return {{"sum", {normal_sample({5, 7}, 1)}, all},
            {"mean", {normal_sample({5, 7}, 1)}, average},
            {"mean squared error", {normal_sample({3, 7}, 1), normal_sample({3, 7}, 2)}, squares},
            {"divergence", {normal_sample({3, 5}, 1)}, divergence},
            {"empty", {normal_sample({0, 7}, 1)}, average}};
  }
};

template <>
struct Samples<op::RowSums> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) { return row_sums(in[0]); };
    return {{"matrix", {normal_sample({5, 19}, 1)}, run, 1},
            {"empty", {normal_sample({0, 7}, 1)}, run, 1}};
  }
};

template <>
struct Samples<op::RowMax> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) { return row_max(in[0]); };
    return {{"matrix", {normal_sample({5, 19}, 1)}, run, 1},
            {"empty", {normal_sample({0, 7}, 1)}, run, 1}};
  }
};

}  // namespace fovea
