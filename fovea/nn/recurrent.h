/// Stacks of recurrent layers, each over the rows of the one below. The formulas and their sources
/// are in ops/recurrent.h.
///
/// Letters: N rows, B sequences, H hidden units, L layers.
#pragma once

#include <span>
#include <vector>

#include "fovea/nn/params.h"
#include "fovea/nn/pass.h"
#include "fovea/ops/recurrent.h"

namespace fovea {

struct RecurrentConfig {
  Dim layers = 1;
  /// Each layer also walks from the end, with weights of its own; its rows are (forward | reverse).
  bool bidirectional = false;
  double dropout = 0;  // of what a layer gives to the next
};

/// Weights as PyTorch names them: weight_ih_l0, ..., weight_ih_l0_reverse, ...
struct Lstm {
  RecurrentConfig config;
  std::vector<RecurrentWeights> weights;  // layer 0, layer 0 in reverse, layer 1, ...

  Lstm(Scope s, Dim in, Dim hidden, const RecurrentConfig& config = {});

  struct Output {
    Var rows;                       // (N, H) or (N, 2H), of the last layer
    std::vector<LstmState> states;  // after each sequence, in the order of the weights
  };
  /// `initial` is one state for each of the weights, or nothing: zeros.
  Output operator()(const Var& x, const Segments& segments, const Pass& pass,
                    std::span<const LstmState> initial = {}) const;

  /// One row for each sequence: the states after it, layer by layer. The last one's h is the
  /// output. Not for both directions.
  std::vector<LstmState> step(const Var& x, std::span<const LstmState> states,
                              const Pass& pass) const;
};

struct Gru {
  RecurrentConfig config;
  std::vector<RecurrentWeights> weights;

  Gru(Scope s, Dim in, Dim hidden, const RecurrentConfig& config = {});

  struct Output {
    Var rows;
    std::vector<Var> states;  // (B, H) each
  };
  Output operator()(const Var& x, const Segments& segments, const Pass& pass,
                    std::span<const Var> initial = {}) const;

  std::vector<Var> step(const Var& x, std::span<const Var> states, const Pass& pass) const;
};

}  // namespace fovea
