#pragma once

#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/embedding.h"
#include "fovea/ops/norm.h"
#include "fovea/ops/op_samples.h"

namespace fovea {

template <>
struct Samples<op::Norm> {
  static std::vector<Sample> make() {
    const auto layer = [](const std::vector<Var>& in) { return layer_norm(in[0], in[1], in[2]); };
    const auto rms = [](const std::vector<Var>& in) { return rms_norm(in[0], in[1]); };
    const auto inputs = [](Dim rows, Dim cols) {
      return std::vector{normal_sample({rows, cols}, 1, 2, 0.5), normal_sample({cols}, 2, 0.3, 1),
                         normal_sample({cols}, 3)};
    };
    const auto without_beta = [&](Dim rows, Dim cols) {
      return std::vector{inputs(rows, cols)[0], inputs(rows, cols)[1]};
    };
    return {
        {"layer", inputs(5, 7), layer, 1},
        {"layer, many rows", inputs(70, 3), layer, 1},
        {"layer, no weights",
         {normal_sample({3, 19}, 1)},
         [](const std::vector<Var>& in) { return layer_norm(in[0]); },
         1},
        {"layer, empty", inputs(0, 7), layer, 1},
        {"rms", without_beta(5, 7), rms, 1},
        {"rms, empty", without_beta(0, 7), rms, 1},
        {"rows of length 1",
         {normal_sample({4, 9}, 1)},
         [](const std::vector<Var>& in) { return l2_normalize(in[0]); },
         1},
    };
  }
};

/// Residuals and what is added to them, without dropout and with the same each time.
inline std::vector<Sample> seam_samples(
    const std::function<Var(const std::vector<Var>&, const AddNormOptions&)>& seam) {
  const auto plain = [seam](const std::vector<Var>& in) { return seam(in, {}); };
  const auto dropped = [seam](const std::vector<Var>& in) {
    Rng rng{.seed = 5};
    return seam(in, {.dropout = 0.3, .rng = &rng});
  };
  const auto rms = [seam](const std::vector<Var>& in) {
    return seam({in[0], in[1], in[2], Var()}, {.kind = NormKind::rms});
  };
  const auto inputs = [](Dim rows, Dim cols) {
    return std::vector{normal_sample({rows, cols}, 1), normal_sample({rows, cols}, 2),
                       normal_sample({cols}, 3, 0.3, 1), normal_sample({cols}, 4)};
  };
  return {{"no dropout", inputs(5, 7), plain, 2},
          {"dropout", inputs(5, 7), dropped},
          {"dropout, many rows", inputs(70, 5), dropped},
          {"rms", {inputs(5, 7)[0], inputs(5, 7)[1], inputs(5, 7)[2]}, rms, 2},
          {"empty", inputs(0, 7), dropped, 2}};
}

template <>
struct Samples<op::AddNorm> {
  static std::vector<Sample> make() {
    std::vector<Sample> all = seam_samples([](const std::vector<Var>& in, const AddNormOptions& o) {
      const auto [z, y] = add_dropout_norm(in[0], in[1], in[2], in[3], o);
      return add(scale(z, 0.5), y);
    });
    all.push_back(
        {"only the sum is used", all[0].inputs,
         [](const std::vector<Var>& in) { return add_dropout_norm(in[0], in[1], in[2], in[3])[0]; },
         2});
    return all;
  }
};

template <>
struct Samples<op::PostNorm> {
  static std::vector<Sample> make() {
    return seam_samples([](const std::vector<Var>& in, const AddNormOptions& o) {
      return post_norm(in[0], in[1], in[2], in[3], o);
    });
  }
};

template <>
struct Samples<op::Dropout> {
  static std::vector<Sample> make() {
    const auto run = [](const std::vector<Var>& in) {
      Rng rng{.seed = 5};
      return dropout(in[0], 0.3, &rng);
    };
    return {{"matrix", {normal_sample({5, 7}, 1)}, run},
            {"wide", {normal_sample({3, 67}, 1)}, run},
            {"empty", {normal_sample({0, 7}, 1)}, run}};
  }
};

template <>
struct Samples<op::Embedding> {
  static std::vector<Sample> make() {
    const auto with = [](std::initializer_list<std::int32_t> ids, double factor) {
      const Tensor all = Tensor::of<std::int32_t>({static_cast<Dim>(ids.size())}, ids);
      return [all, factor](const std::vector<Var>& in) { return embedding(in[0], all, factor); };
    };
    return {{"some", {normal_sample({5, 7}, 1)}, with({4, 0, 2}, 1)},
            {"repeated and scaled", {normal_sample({5, 9}, 1)}, with({1, 3, 1, 1, 0}, 3)},
            {"none", {normal_sample({5, 7}, 1)}, with({}, 1)}};
  }
};

}  // namespace fovea
