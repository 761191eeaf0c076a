#pragma once

#include "fovea/ops/attend.h"
#include "fovea/ops/op_samples.h"

namespace fovea {

inline const Segments& attend_queries() {
  static const Segments segments = Segments::of_lengths({3, 0, 1, 5});
  return segments;
}
inline const Segments& attend_keys() {
  static const Segments segments = Segments::of_lengths({4, 2, 0, 6});
  return segments;
}

/// The inputs from number `first` on: none, a bias, two relations, or all three.
inline ByDistance tables_of(const std::vector<Var>& in, std::size_t first) {
  const std::size_t count = in.size() - first;
  return {.bias = count % 2 == 1 ? in[first] : Var(),
          .key_relation = count >= 2 ? in[in.size() - 2] : Var(),
          .value_relation = count >= 2 ? in[in.size() - 1] : Var()};
}

template <>
struct Samples<op::Attend> {
  static std::vector<Sample> make() {
    const auto with = [](AttendConfig config, Segments q, Segments k) {
      return [=](const std::vector<Var>& in) {
        return attend(in[0], in[1], in[2], q, k, config, tables_of(in, 3));
      };
    };
    const Segments &q = attend_queries(), &k = attend_keys();
    const Tensor queries = normal_sample({9, 12}, 1), keys = normal_sample({12, 12}, 2);
    const Tensor values = normal_sample({12, 20}, 3), bias = normal_sample({4, 5}, 4);
    return {
        {"heads", {queries, keys, values}, with({.heads = 4}, q, k)},
        {"shared keys",
         {queries, normal_sample({12, 6}, 5), normal_sample({12, 4}, 6)},
         with({.heads = 4, .kv_heads = 2, .causal = true}, q, k)},
        {"bias and window", {queries, keys, values, bias}, with({.heads = 4, .window = 2}, q, k)},
        {"a fixed lag",
         {queries, keys, values},
         with({.heads = 4, .causal = true, .places = Tensor::of<Dim>({4}, {1, 0, 1, 2})}, q, k)},
        {"relations",
         {queries, keys, values, normal_sample({5, 3}, 7), normal_sample({5, 5}, 8)},
         with({.heads = 4, .drop = 0.3, .draws = {1, 2}}, q, k)},
        {"dropout",
         {queries, keys, values},
         with({.heads = 4, .drop = 0.3, .draws = {1, 2}}, q, k)},
        {"empty",
         {normal_sample({0, 4}, 1), normal_sample({0, 4}, 2), normal_sample({0, 4}, 3)},
         with({.heads = 2}, Segments(), Segments())}};
  }
};

template <>
struct Samples<op::AttendPacked> {
  static std::vector<Sample> make() {
    const auto with = [](AttendConfig config) {
      return [=](const std::vector<Var>& in) {
        return attend_packed(in[0], attend_queries(), config, tables_of(in, 1));
      };
    };
    return {{"causal", {normal_sample({9, 18}, 1)}, with({.heads = 2, .causal = true})},
            {"shared keys, bias",
             {normal_sample({9, 16}, 2), normal_sample({2, 7}, 3)},
             with({.heads = 2, .kv_heads = 1})},
            {"relations and a bias",
             {normal_sample({9, 16}, 2), normal_sample({2, 7}, 3), normal_sample({3, 4}, 4),
              normal_sample({3, 4}, 5)},
             with({.heads = 2, .kv_heads = 1, .causal = true})},
            {"relations of empty sequences",
             {normal_sample({0, 12}, 2), normal_sample({3, 2}, 4), normal_sample({3, 2}, 5)},
             [](const std::vector<Var>& in) {
               return attend_packed(in[0], Segments(), {.heads = 2}, tables_of(in, 1));
             }}};
  }
};

template <>
struct Samples<op::AttendMemory> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) {
      return attend_memory(in[0], in[1], attend_queries(), attend_keys(),
                           {.heads = 2, .scale = 0.7});
    };
    return {{"two heads", {normal_sample({9, 6}, 1), normal_sample({12, 12}, 2)}, run}};
  }
};

}  // namespace fovea
