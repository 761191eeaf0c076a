#include "fovea/nn/recurrent.h"

#include <cmath>

#include "fovea/ops/dropout.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace {

RecurrentWeights make_weights(const Scope& s, const std::string& suffix, Dim gate_rows, Dim in,
                              Dim hidden) {
  const Init init = init::uniform(1 / std::sqrt(static_cast<double>(hidden)));
  return {.w_ih = s.param("weight_ih" + suffix, {gate_rows, in}, init),
          .w_hh = s.param("weight_hh" + suffix, {gate_rows, hidden}, init),
          .b_ih = s.param("bias_ih" + suffix, {gate_rows}, init),
          .b_hh = s.param("bias_hh" + suffix, {gate_rows}, init)};
}

std::vector<RecurrentWeights> make_stack(const Scope& s, Dim gates, Dim in, Dim hidden,
                                         const RecurrentConfig& config) {
  FOVEA_CHECK(config.layers >= 1, "recurrent: expected at least 1 layer, found ", config.layers);
  std::vector<RecurrentWeights> all;
  for (Dim layer = 0; layer < config.layers; ++layer) {
    const Dim width = layer == 0 ? in : config.bidirectional ? 2 * hidden : hidden;
    const std::string suffix = concat("_l", layer);
    all.push_back(make_weights(s, suffix, gates * hidden, width, hidden));
    if (!config.bidirectional) continue;
    all.push_back(make_weights(s, suffix + "_reverse", gates * hidden, width, hidden));
  }
  return all;
}

/// run(weights, x, direction, initial) gives {rows, state} of one layer in one direction.
template <class Output, class State, class Run>
Output run_stack(const RecurrentConfig& config, std::span<const RecurrentWeights> weights, Var x,
                 std::span<const State> initial, const Pass& pass, Run&& run) {
  FOVEA_CHECK(initial.empty() || initial.size() == weights.size(), "recurrent: ", initial.size(),
              " initial states for ", weights.size(), " layers and directions");
  Output out;
  for (std::size_t k = 0; k < weights.size();) {
    if (k > 0) x = dropout(x, config.dropout, pass.rng);
    std::vector<Var> sides;
    for (const Direction direction : {Direction::forward, Direction::reverse}) {
      if (direction == Direction::reverse && !config.bidirectional) break;
      auto layer = run(weights[k], x, direction, initial.empty() ? State{} : initial[k]);
      sides.push_back(layer.rows);
      out.states.push_back(layer.state);
      ++k;
    }
    x = sides.size() == 1 ? sides[0] : concat_columns(sides);
  }
  out.rows = x;
  return out;
}

/// cell(weights, x, state) gives the next state, h(state) what the layer above sees.
template <class State, class Cell, class Hidden>
std::vector<State> step_stack(const RecurrentConfig& config,
                              std::span<const RecurrentWeights> weights, Var x,
                              std::span<const State> states, const Pass& pass, Cell&& cell,
                              Hidden&& h) {
  FOVEA_CHECK(!config.bidirectional, "recurrent: both directions cannot go step by step");
  FOVEA_CHECK(states.size() == weights.size(), "recurrent: ", states.size(), " states for ",
              weights.size(), " layers");
  std::vector<State> next;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (k > 0) x = dropout(x, config.dropout, pass.rng);
    next.push_back(cell(weights[k], x, states[k]));
    x = h(next.back());
  }
  return next;
}

}  // namespace

Lstm::Lstm(Scope s, Dim in, Dim hidden, const RecurrentConfig& config)
    : config(config), weights(make_stack(s, 4, in, hidden, config)) {}

Lstm::Output Lstm::operator()(const Var& x, const Segments& segments, const Pass& pass,
                              std::span<const LstmState> initial) const {
  return run_stack<Output>(
      config, weights, x, initial, pass,
      [&](const RecurrentWeights& w, const Var& rows, Direction direction, const LstmState& state) {
        return lstm_layer(rows, segments, w, {.direction = direction, .initial = state});
      });
}

std::vector<LstmState> Lstm::step(const Var& x, std::span<const LstmState> states,
                                  const Pass& pass) const {
  return step_stack(
      config, weights, x, states, pass,
      [](const RecurrentWeights& w, const Var& rows, const LstmState& state) {
        return lstm_cell(rows, state, w);
      },
      [](const LstmState& state) { return state.h; });
}

Gru::Gru(Scope s, Dim in, Dim hidden, const RecurrentConfig& config)
    : config(config), weights(make_stack(s, 3, in, hidden, config)) {}

Gru::Output Gru::operator()(const Var& x, const Segments& segments, const Pass& pass,
                            std::span<const Var> initial) const {
  return run_stack<Output>(
      config, weights, x, initial, pass,
      [&](const RecurrentWeights& w, const Var& rows, Direction direction, const Var& state) {
        return gru_layer(rows, segments, w, {.direction = direction, .initial = state});
      });
}

std::vector<Var> Gru::step(const Var& x, std::span<const Var> states, const Pass& pass) const {
  return step_stack(
      config, weights, x, states, pass,
      [](const RecurrentWeights& w, const Var& rows, const Var& state) {
        return gru_cell(rows, state, w);
      },
      [](const Var& state) { return state; });
}

}  // namespace fovea
