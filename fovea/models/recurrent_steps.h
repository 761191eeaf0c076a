/// The recurrent decoder step by step, where a step needs what the last one looked at.
///
/// The longest targets come first, so that those still running are always the first rows: a step of
/// all of them is one row each, and a target that has ended costs nothing.
#pragma once

#include "fovea/attention/look_recorder.h"
#include "fovea/models/recurrent_sources.h"
#include "fovea/models/recurrent_translator.h"

namespace fovea {

class RecurrentSteps {
 public:
  RecurrentSteps(const RecurrentDecoder& decoder, const Sequences& targets, const Encoded& source,
                 const Pass& pass);
  /// Rows are in the order of the targets: (N, E).
  Decoded run();

 private:
  using States = RecurrentStack::States;

  std::size_t sequence(Dim rank) const {
    return static_cast<std::size_t>(order_[static_cast<std::size_t>(rank)]);
  }
  Look step(Dim t, Dim active);
  Askers askers(Dim t, Dim active) const;
  Tensor tokens(Dim t, Dim active) const;  // (active) i32
  /// Only the first `to` of `from` targets go on.
  void shrink(Dim from, Dim to);
  /// Rows of all sources of the first so many targets.
  Dim source_rows(Dim targets) const;
  /// Which of all rows, step after step, each row of the targets is.
  Tensor batch_order() const;

  /// What a cache holds of the last step.
  void take_up();
  void leave(Dim begin, Dim end);
  void keep();

  const RecurrentDecoder& decoder_;
  const Sequences& targets_;
  const Pass& pass_;
  RecurrentSources sources_;
  std::vector<Dim> before_;  // places of each target that a cache has seen
  std::vector<Dim> order_;   // the targets, longest first
  States states_;
  Var fed_;                   // (active, E): what the last step gave, with ReadOut::feed
  Var everywhere_;            // the weights of the last step, if the next needs them
  std::vector<Var> rows_;     // of each step
  std::vector<States> left_;  // states, fed, weights of those that ended, the shortest first
  LookRecorder recorder_;
};

}  // namespace fovea
