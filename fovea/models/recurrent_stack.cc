#include "fovea/models/recurrent_stack.h"

namespace fovea {
namespace {

std::vector<LstmState> paired(const RecurrentStack::States& states) {
  std::vector<LstmState> pairs;
  for (std::size_t i = 0; i + 1 < states.size(); i += 2)
    pairs.push_back({states[i], states[i + 1]});
  return pairs;
}

RecurrentStack::States flat(const std::vector<LstmState>& pairs) {
  RecurrentStack::States states;
  for (const LstmState& pair : pairs) {
    states.push_back(pair.h);
    states.push_back(pair.c);
  }
  return states;
}

}  // namespace

RecurrentStack::RecurrentStack(Scope s, Cell cell, Dim in, Dim hidden,
                               const RecurrentConfig& config)
    : layers_(cell == Cell::lstm ? std::variant<Lstm, Gru>(Lstm(s, in, hidden, config))
                                 : std::variant<Lstm, Gru>(Gru(s, in, hidden, config))) {}

RecurrentStack::Output RecurrentStack::operator()(const Var& x, const Segments& segments,
                                                  const Pass& pass, const States& initial) const {
  if (const Lstm* lstm = std::get_if<Lstm>(&layers_)) {
    Lstm::Output out = (*lstm)(x, segments, pass, paired(initial));
    return {out.rows, flat(out.states)};
  }
  Gru::Output out = std::get<Gru>(layers_)(x, segments, pass, initial);
  return {out.rows, std::move(out.states)};
}

RecurrentStack::States RecurrentStack::step(const Var& x, const States& states,
                                            const Pass& pass) const {
  if (const Lstm* lstm = std::get_if<Lstm>(&layers_)) {
    return flat(lstm->step(x, paired(states), pass));
  }
  return std::get<Gru>(layers_).step(x, states, pass);
}

}  // namespace fovea
