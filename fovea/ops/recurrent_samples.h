#pragma once

#include "fovea/ops/op_samples.h"
#include "fovea/ops/recurrent.h"

namespace fovea {
namespace recurrent_samples {

constexpr Dim inputs = 3, hidden = 5;

/// x, the four weights, then `states` initial states.
inline std::vector<Tensor> tensors(Dim gates, Dim rows, Dim sequences, int states,
                                   std::uint64_t seed) {
  std::vector<Tensor> t = {normal_sample({rows, inputs}, seed),
                           normal_sample({gates * hidden, inputs}, seed + 1, 0.5),
                           normal_sample({gates * hidden, hidden}, seed + 2, 0.5),
                           normal_sample({gates * hidden}, seed + 3, 0.5),
                           normal_sample({gates * hidden}, seed + 4, 0.5)};
  for (int s = 0; s < states; ++s) {
    t.push_back(normal_sample({sequences, hidden}, seed + 5 + static_cast<std::uint64_t>(s), 0.5));
  }
  return t;
}

inline RecurrentWeights weights(const std::vector<Var>& in) { return {in[1], in[2], in[3], in[4]}; }

enum class Output { rows, h, c };

inline auto lstm(Segments segments, Direction direction, Output output) {
  return [=](const std::vector<Var>& in) {
    LstmOptions options{.direction = direction};
    if (in.size() > 5) options.initial = {in[5], in[6]};
    const LstmOutput y = lstm_layer(in[0], segments, weights(in), options);
    return output == Output::rows ? y.rows : output == Output::h ? y.state.h : y.state.c;
  };
}

inline auto gru(Segments segments, Direction direction, Output output) {
  return [=](const std::vector<Var>& in) {
    GruOptions options{.direction = direction};
    if (in.size() > 5) options.initial = in[5];
    const GruOutput y = gru_layer(in[0], segments, weights(in), options);
    return output == Output::rows ? y.rows : y.state;
  };
}

inline Segments ragged() { return Segments::of_lengths({2, 0, 4, 1}); }

}  // namespace recurrent_samples

template <>
struct Samples<op::LstmLayer> {
  static std::vector<Sample> make() {
    using namespace recurrent_samples;
    using enum Direction;
    const Segments none = Segments::uniform(0, 0), without_rows = Segments::uniform(2, 0);
    return {
        {"rows", tensors(4, 7, 4, 0, 1), lstm(ragged(), forward, Output::rows)},
        {"rows, from a state", tensors(4, 7, 4, 2, 2), lstm(ragged(), forward, Output::rows)},
        {"rows in reverse", tensors(4, 7, 4, 2, 3), lstm(ragged(), reverse, Output::rows)},
        {"final h", tensors(4, 7, 4, 2, 4), lstm(ragged(), forward, Output::h)},
        {"final c", tensors(4, 7, 4, 2, 5), lstm(ragged(), reverse, Output::c)},
        {"one sequence", tensors(4, 3, 1, 0, 6), lstm(Segments::uniform(1, 3), forward, Output::c)},
        {"no sequences", tensors(4, 0, 0, 2, 7), lstm(none, forward, Output::rows)},
        {"no rows", tensors(4, 0, 2, 2, 8), lstm(without_rows, forward, Output::h)},
    };
  }
};

template <>
struct Samples<op::GruLayer> {
  static std::vector<Sample> make() {
    using namespace recurrent_samples;
    using enum Direction;
    const Segments none = Segments::uniform(0, 0), without_rows = Segments::uniform(2, 0);
    return {
        {"rows", tensors(3, 7, 4, 0, 1), gru(ragged(), forward, Output::rows)},
        {"rows, from a state", tensors(3, 7, 4, 1, 2), gru(ragged(), forward, Output::rows)},
        {"rows in reverse", tensors(3, 7, 4, 1, 3), gru(ragged(), reverse, Output::rows)},
        {"final state", tensors(3, 7, 4, 1, 4), gru(ragged(), forward, Output::h)},
        {"one sequence", tensors(3, 3, 1, 0, 6),
         gru(Segments::uniform(1, 3), reverse, Output::rows)},
        {"no sequences", tensors(3, 0, 0, 1, 7), gru(none, forward, Output::rows)},
        {"no rows", tensors(3, 0, 2, 1, 8), gru(without_rows, forward, Output::h)},
    };
  }
};

template <>
struct Samples<op::LstmCell> {
  static std::vector<Sample> make() {
    using namespace recurrent_samples;
    const auto h = [](const std::vector<Var>& in) {
      return lstm_cell(in[0], {in[5], in[6]}, weights(in)).h;
    };
    const auto c = [](const std::vector<Var>& in) {
      return lstm_cell(in[0], {in[5], in[6]}, weights(in)).c;
    };
    const auto from_zero = [](const std::vector<Var>& in) {
      return lstm_cell(in[0], {}, weights(in)).h;
    };
    return {{"h", tensors(4, 3, 3, 2, 1), h},
            {"c", tensors(4, 3, 3, 2, 2), c},
            {"from zero", tensors(4, 3, 3, 0, 3), from_zero},
            {"empty", tensors(4, 0, 0, 2, 4), h}};
  }
};

template <>
struct Samples<op::GruCell> {
  static std::vector<Sample> make() {
    using namespace recurrent_samples;
    const auto run = [](const std::vector<Var>& in) { return gru_cell(in[0], in[5], weights(in)); };
    const auto from_zero = [](const std::vector<Var>& in) {
      return gru_cell(in[0], {}, weights(in));
    };
    return {{"rows", tensors(3, 3, 3, 1, 1), run},
            {"from zero", tensors(3, 3, 3, 0, 3), from_zero},
            {"empty", tensors(3, 0, 0, 1, 4), run}};
  }
};

}  // namespace fovea
