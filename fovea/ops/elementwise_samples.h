#pragma once

#include <cmath>

#include "fovea/ops/elementwise.h"
#include "fovea/ops/op_samples.h"

namespace fovea {

/// Numbers at least 0.1 away from 0, where relu has its kink and division its pole.
inline Tensor away_from_zero(Shape shape, std::uint64_t seed) {
  Tensor t = normal_sample(shape, seed);
  for (Dim i = 0; i < t.size(); ++i) {
    double& x = t.mutable_data<double>()[i];
    x += std::copysign(0.1, x);
  }
  return t;
}

template <>
struct Samples<op::Unary> {
  static std::vector<Sample> make() {
    using F = kernels::Unary;
    const auto with = [](F f) {
      return [f](const std::vector<Var>& in) { return unary(f, in[0]); };
    };
    std::vector<Sample> all = {{"empty", {normal_sample({0, 3}, 1)}, with(F::gelu), 1},
                               {"no columns", {normal_sample({3, 0}, 1)}, with(F::gelu), 1}};
    for (F f : {F::relu, F::gelu, F::gelu_tanh, F::silu, F::tanh, F::sigmoid, F::exp}) {
      all.push_back({"both signs", {away_from_zero({3, 13}, 2)}, with(f), 1});
    }
    Tensor positive = normal_sample({3, 13}, 3);
    for (Dim i = 0; i < positive.size(); ++i) {
      double& x = positive.mutable_data<double>()[i];
      x = 0.2 + x * x;
    }
    for (F f : {F::log, F::sqrt}) all.push_back({"positive", {positive}, with(f), 1});
    return all;
  }
};

template <>
struct Samples<op::Binary> {
  static std::vector<Sample> make() {
    std::vector<Sample> all;
    for (auto f : {add, sub, mul, div}) {
      const auto run = [f](const std::vector<Var>& in) { return f(in[0], in[1]); };
      all.push_back({"matrix", {normal_sample({3, 13}, 1), away_from_zero({3, 13}, 2)}, run, 2});
      all.push_back({"cube", {normal_sample({3, 2, 5}, 1), away_from_zero({3, 2, 5}, 2)}, run, 2});
      all.push_back({"empty", {normal_sample({0, 5}, 1), normal_sample({0, 5}, 2)}, run, 2});
    }
    return all;
  }
};

template <>
struct Samples<op::BinaryRow> {
  static std::vector<Sample> make() {
    std::vector<Sample> all;
    for (auto f : {add_row, mul_row}) {
      const auto run = [f](const std::vector<Var>& in) { return f(in[0], in[1]); };
      all.push_back({"matrix", {normal_sample({5, 13}, 1), normal_sample({13}, 2)}, run, 1});
      all.push_back({"many rows", {normal_sample({130, 2}, 1), normal_sample({2}, 2)}, run, 1});
      all.push_back({"empty", {normal_sample({0, 5}, 1), normal_sample({5}, 2)}, run, 1});
    }
    return all;
  }
};

template <>
struct Samples<op::BinaryColumn> {
  static std::vector<Sample> make() {
    std::vector<Sample> all;
    for (auto f : {add_column, mul_column}) {
      const auto run = [f](const std::vector<Var>& in) { return f(in[0], in[1]); };
      all.push_back({"matrix", {normal_sample({5, 13}, 1), normal_sample({5}, 2)}, run, 2});
      all.push_back({"as a matrix", {normal_sample({5, 3}, 1), normal_sample({5, 1}, 2)}, run, 2});
      all.push_back({"empty", {normal_sample({0, 5}, 1), normal_sample({0}, 2)}, run, 2});
    }
    return all;
  }
};

template <>
struct Samples<op::Affine> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) { return add_scalar(scale(in[0], -1.5), 3); };
    return {{"matrix", {normal_sample({5, 13}, 1)}, run, 1},
            {"empty", {normal_sample({0, 3}, 1)}, run, 1}};
  }
};

/// By itself it is no derivative; two ways with 0.25 and 1.75 of it have together that of 2 x.
template <>
struct Samples<op::ScaleGradient> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) {
      return add(scale_gradient(in[0], 0.25), scale_gradient(in[0], 1.75));
    };
    return {{"matrix", {normal_sample({5, 13}, 1)}, run, 1},
            {"empty", {normal_sample({0, 3}, 1)}, run, 1}};
  }
};

template <>
struct Samples<op::Glu> {
  static std::vector<Sample> make() {
    std::vector<Sample> all;
    for (auto f : {glu, swiglu}) {
      const auto run = [f](const std::vector<Var>& in) { return f(in[0]); };
      all.push_back({"matrix", {normal_sample({5, 14}, 1)}, run, 1});
      all.push_back({"wide", {normal_sample({2, 38}, 1)}, run, 1});
      all.push_back({"empty", {normal_sample({0, 6}, 1)}, run, 1});
    }
    return all;
  }
};

}  // namespace fovea
