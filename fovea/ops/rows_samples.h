#pragma once

#include "fovea/ops/batch_norm.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/op_samples.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {

inline Tensor some_ids(std::initializer_list<std::int32_t> ids) {
  return Tensor::of<std::int32_t>({static_cast<Dim>(ids.size())}, ids);
}

/// An op of one input, on a matrix, on one wider than a vector, and on no columns.
inline std::vector<Sample> matrix_samples(Dim rows, std::function<Var(const Var&)> f) {
  const auto run = [f](const std::vector<Var>& in) { return f(in[0]); };
  return {{"matrix", {normal_sample({rows, 3}, 1)}, run},
          {"wide", {normal_sample({rows, 19}, 2)}, run},
          {"no columns", {normal_sample({rows, 0}, 3)}, run}};
}

template <>
struct Samples<op::GatherRows> {
  static std::vector<Sample> make() {
    return matrix_samples(4, [](const Var& x) {
      return gather_rows(x, some_ids({3, 0, 3, 1, 1, 1}));
    });
  }
};

template <>
struct Samples<op::ScatterRows> {
  static std::vector<Sample> make() {
    return matrix_samples(4, [](const Var& x) {
      return scatter_rows(x, some_ids({5, 0, 5, 1}), 6);
    });
  }
};

template <>
struct Samples<op::SliceRows> {
  static std::vector<Sample> make() {
    auto all = matrix_samples(5, [](const Var& x) { return slice_rows(x, 1, 4); });
    all.push_back({"nothing", {normal_sample({2, 3}, 1)}, [](const std::vector<Var>& in) {
                     return slice_rows(in[0], 1, 1);
                   }});
    return all;
  }
};

template <>
struct Samples<op::Columns> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) { return columns(in[0], 2, 5); };
    return {{"matrix", {normal_sample({4, 7}, 1)}, run, 1},
            {"empty", {normal_sample({0, 7}, 1)}, run, 1}};
  }
};

template <>
struct Samples<op::SplitColumns> {
  static std::vector<Sample> make() {
    const auto three = [](const std::vector<Var>& in) {
      const auto [a, b, c] = split_columns(in[0], 2, 2, 3);
      return concat_columns({mul(a, b), c});
    };
    const auto one_of_two = [](const std::vector<Var>& in) {
      return split_columns(in[0], 3, 4)[1];
    };
    return {{"three", {normal_sample({4, 7}, 1)}, three, 1},
            {"one of two", {normal_sample({4, 7}, 1)}, one_of_two, 1},
            {"empty", {normal_sample({0, 7}, 1)}, three, 1}};
  }
};

template <>
struct Samples<op::ConcatRows> {
  static std::vector<Sample> make() {
    return {{"three, one of no rows",
             {normal_sample({2, 3}, 1), normal_sample({0, 3}, 2), normal_sample({4, 3}, 3)},
             [](const std::vector<Var>& in) { return concat_rows(in); }}};
  }
};

template <>
struct Samples<op::ConcatColumns> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) { return concat_columns(in); };
    return {{"three, one of no columns",
             {normal_sample({4, 3}, 1), normal_sample({4, 0}, 2), normal_sample({4, 5}, 3)},
             run,
             3},
            {"empty", {normal_sample({0, 3}, 1), normal_sample({0, 5}, 2)}, run, 2}};
  }
};

template <>
struct Samples<op::Reshape> {
  static std::vector<Sample> make() {
    return matrix_samples(4, [](const Var& x) { return reshape(x, {2, 2, x.cols()}); });
  }
};

template <>
struct Samples<op::Transpose> {
  static std::vector<Sample> make() { return matrix_samples(4, transpose); }
};

template <>
struct Samples<op::SegmentPool> {
  static std::vector<Sample> make() {
    std::vector<Sample> all;
    for (const Pooling pooling : {Pooling::sum, Pooling::mean, Pooling::max}) {
      for (const Sample& sample : matrix_samples(7, [pooling](const Var& x) {
             return segment_pool(x, Segments::of_lengths({3, 0, 1, 3}), pooling);
           })) {
        all.push_back(sample);
      }
    }
    return all;
  }
};

template <>
struct Samples<op::SegmentSoftmax> {
  static std::vector<Sample> make() {
    std::vector<Sample> all;
    for (auto f : {segment_softmax, segment_log_softmax}) {
      for (const Sample& sample : matrix_samples(7, [f](const Var& x) {
             return f(x, Segments::of_lengths({3, 0, 1, 3}));
           })) {
        all.push_back(sample);
      }
    }
    return all;
  }
};

template <>
struct Samples<op::BatchNorm> {
  static std::vector<Sample> make() {
    const auto with = [](bool training) {
      return [training](const std::vector<Var>& in) {
        const RunningStats running = {Tensor::full({5}, 0.25, in[0].dtype()),
                                      Tensor::full({5}, 2, in[0].dtype())};
        return batch_norm(in[0], in[1], in[2], running, {.training = training});
      };
    };
    const auto inputs = [](Dim rows) {
      return std::vector{normal_sample({rows, 5}, 1), normal_sample({5}, 2, 0.3, 1),
                         normal_sample({5}, 3)};
    };
    return {{"training", inputs(6), with(true)},
            {"training, empty", inputs(0), with(true)},
            {"in use", inputs(6), with(false), 1},
            {"in use, empty", inputs(0), with(false), 1}};
  }
};

}  // namespace fovea
