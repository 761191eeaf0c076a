#pragma once

#include "fovea/ops/op_samples.h"
#include "fovea/ops/softmax.h"

namespace fovea {

template <>
struct Samples<op::Softmax> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) { return softmax(in[0]); };
    return {{"rows", {normal_sample({5, 7}, 1)}, run, 1},
            {"wide", {normal_sample({2, 37}, 2)}, run, 1},
            {"empty", {normal_sample({0, 7}, 3)}, run, 1}};
  }
};

template <>
struct Samples<op::LogSoftmax> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) { return log_softmax(in[0]); };
    return {{"rows", {normal_sample({5, 7}, 1)}, run, 1},
            {"wide", {normal_sample({2, 37}, 2)}, run, 1},
            {"empty", {normal_sample({0, 7}, 3)}, run, 1}};
  }
};

}  // namespace fovea
