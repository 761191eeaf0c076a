#pragma once

#include "fovea/ops/crf.h"
#include "fovea/ops/loss_samples.h"

namespace fovea {

template <>
struct Samples<op::Crf> {
  static std::vector<Sample> make() {
    const auto inputs = [](Dim rows, Dim tags, double scale = 1) {
      return std::vector{normal_sample({rows, tags}, 1, scale),
                         normal_sample({tags, tags}, 2, scale), normal_sample({tags}, 3, scale),
                         normal_sample({tags}, 4, scale)};
    };
    const auto with = [](std::initializer_list<std::int32_t> tags,
                         std::initializer_list<Dim> lengths) {
      return [tags = some_targets(tags),
              segments = Segments::of_lengths(lengths)](const std::vector<Var>& in) {
        return crf_loss(in[0], {in[1], in[2], in[3]}, tags, segments);
      };
    };
    return {{"sequences of several lengths, one without rows", inputs(7, 3),
             with({0, 2, 2, 1, 1, 0, 2}, {3, 0, 1, 2, 1})},
            {"more sequences than blocks", inputs(10, 2),
             with({0, 1, 1, 0, 1, 0, 0, 1, 1, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1})},
            {"large scores", inputs(4, 5, 8), with({4, 0, 3, 1}, {4})},
            {"one tag", inputs(3, 1), with({0, 0, 0}, {2, 1})},
            {"empty", inputs(0, 3), with({}, {})}};
  }
};

}  // namespace fovea
