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

}  // namespace fovea
