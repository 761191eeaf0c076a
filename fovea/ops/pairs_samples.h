#pragma once

#include "fovea/ops/op_samples.h"
#include "fovea/ops/pairs.h"

namespace fovea {

inline Pairs sample_pairs() {
  return pairs_in_reach(Segments::of_lengths({3, 0, 1, 4}), Segments::of_lengths({4, 2, 0, 5}),
                        {.causal = true, .window = 2});
}

template <>
struct Samples<op::PairDot> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) {
      return pair_dot(in[0], in[1], sample_pairs(), 2);
    };
    const auto none = [](const std::vector<Var>& in) {
      return pair_dot(in[0], in[1], pairs_in_reach({}, {}), 2);
    };
    return {{"two heads", {normal_sample({8, 6}, 1), normal_sample({11, 6}, 2)}, run},
            {"empty", {normal_sample({0, 6}, 1), normal_sample({0, 6}, 2)}, none}};
  }
};

template <>
struct Samples<op::PairRead> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) {
      return pair_read(in[0], in[1], sample_pairs());
    };
    return {{"two heads",
             {normal_sample({sample_pairs().count(), 2}, 1), normal_sample({11, 6}, 2)},
             run}};
  }
};

template <>
struct Samples<op::PairAdditive> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) {
      return pair_additive(in[0], in[1], in[2], sample_pairs());
    };
    const auto none = [](const std::vector<Var>& in) {
      return pair_additive(in[0], in[1], in[2], pairs_in_reach({}, {}));
    };
    const Segments long_queries = Segments::of_lengths({40, 1, 7, 1, 9, 1, 1, 2, 3, 30}),
                   long_keys = Segments::of_lengths({40, 11, 7, 3, 0, 2, 5, 4, 33, 30});
    const auto several_blocks = [=](const std::vector<Var>& in) {
      return pair_additive(in[0], in[1], in[2], pairs_in_reach(long_queries, long_keys));
    };
    return {
        {"few", {normal_sample({8, 6}, 1), normal_sample({11, 6}, 2), normal_sample({6}, 3)}, run},
        {"a row of weights",
         {normal_sample({8, 5}, 1), normal_sample({11, 5}, 2), normal_sample({1, 5}, 3)},
         run},
        {"several blocks of sequences",
         {normal_sample({95, 3}, 1), normal_sample({135, 3}, 2), normal_sample({3}, 3)},
         several_blocks},
        {"empty",
         {normal_sample({0, 6}, 1), normal_sample({0, 6}, 2), normal_sample({6}, 3)},
         none}};
  }
};

}  // namespace fovea
