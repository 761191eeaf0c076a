/// Recurrent layers over sequences of rows, and single steps of them for decoders.
///
/// Letters: N rows in all, B sequences, I inputs, H hidden units, G gates.
#pragma once

#include "fovea/autograd/apply.h"
#include "fovea/ops/recurrent_walk.h"
#include "fovea/ops/steps.h"

namespace fovea {
namespace op {

struct LstmLayer {
  static constexpr std::string_view name = "lstm layer";
  Segments segments;
  Direction direction = Direction::forward;
  LstmWalk walk = {};
  /// h of every row (N, H), final h and c (B, H).
  std::array<Tensor, 3> forward(const Tensor& x, const Tensor& w_ih, const Tensor& w_hh,
                                const Tensor& b_ih, const Tensor& b_hh, const Tensor& h0,
                                const Tensor& c0);
  std::array<Gradient, 7> backward(std::span<const Tensor> dy, Needs needs);
};

struct LstmCell {
  static constexpr std::string_view name = "lstm cell";
  LstmWalk walk = {};
  /// h and c (B, H).
  std::array<Tensor, 2> forward(const Tensor& x, const Tensor& w_ih, const Tensor& w_hh,
                                const Tensor& b_ih, const Tensor& b_hh, const Tensor& h0,
                                const Tensor& c0);
  std::array<Gradient, 7> backward(std::span<const Tensor> dy, Needs needs);
};

struct GruLayer {
  static constexpr std::string_view name = "gru layer";
  Segments segments;
  Direction direction = Direction::forward;
  GruWalk walk = {};
  /// h of every row (N, H), final h (B, H).
  std::array<Tensor, 2> forward(const Tensor& x, const Tensor& w_ih, const Tensor& w_hh,
                                const Tensor& b_ih, const Tensor& b_hh, const Tensor& h0);
  std::array<Gradient, 6> backward(std::span<const Tensor> dy, Needs needs);
};

struct GruCell {
  static constexpr std::string_view name = "gru cell";
  GruWalk walk = {};
  Tensor forward(const Tensor& x, const Tensor& w_ih, const Tensor& w_hh, const Tensor& b_ih,
                 const Tensor& b_hh, const Tensor& h0);
  std::array<Gradient, 6> backward(const Tensor& dh, Needs needs);
};

}  // namespace op

/// The weights of an LSTM (G = 4: input, forget, cell, output) or a GRU (G = 3: reset, update,
/// new): the rows of each gate one after the other in this order, as PyTorch keeps them.
struct RecurrentWeights {
  Var w_ih;  // (G H, I)
  Var w_hh;  // (G H, H)
  Var b_ih;  // (G H)
  Var b_hh;  // (G H)
};

struct LstmState {
  Var h;  // (B, H)
  Var c;  // (B, H)
};

struct LstmOutput {
  Var rows;         // (N, H): h after each row
  LstmState state;  // after the last row of each sequence; the initial one if it has no rows
};

struct GruOutput {
  Var rows;   // (N, H)
  Var state;  // (B, H)
};

/// How a layer walks its sequences, and from where: an undefined state is zero.
struct LstmOptions {
  Direction direction = Direction::forward;
  LstmState initial = {};
};
struct GruOptions {
  Direction direction = Direction::forward;
  Var initial = {};
};

/// Hochreiter and Schmidhuber 1997 with the forget gate of Gers et al. 2000:
///   (i, f, g, o) = W_ih x_t + b_ih + W_hh h_{t-1} + b_hh
///   c_t = sigmoid(f) c_{t-1} + sigmoid(i) tanh(g),  h_t = sigmoid(o) tanh(c_t)
inline LstmOutput lstm_layer(const Var& x, const Segments& segments, const RecurrentWeights& w,
                             const LstmOptions& options = {}) {
  auto [rows, h, c] = apply(op::LstmLayer{.segments = segments, .direction = options.direction}, x,
                            w.w_ih, w.w_hh, w.b_ih, w.b_hh, options.initial.h, options.initial.c);
  return {rows, {h, c}};
}

/// One step: row b of x goes on from row b of the state.
inline LstmState lstm_cell(const Var& x, const LstmState& state, const RecurrentWeights& w) {
  auto [h, c] = apply(op::LstmCell{}, x, w.w_ih, w.w_hh, w.b_ih, w.b_hh, state.h, state.c);
  return {h, c};
}

/// Cho et al. 2014, with the reset gate behind the product as in cuDNN and PyTorch:
///   r = sigmoid(W_ir x_t + b_ir + W_hr h_{t-1} + b_hr),  z likewise
///   n = tanh(W_in x_t + b_in + r (W_hn h_{t-1} + b_hn))
///   h_t = (1 - z) n + z h_{t-1}
inline GruOutput gru_layer(const Var& x, const Segments& segments, const RecurrentWeights& w,
                           const GruOptions& options = {}) {
  auto [rows, h] = apply(op::GruLayer{.segments = segments, .direction = options.direction}, x,
                         w.w_ih, w.w_hh, w.b_ih, w.b_hh, options.initial);
  return {rows, h};
}

/// One step: row b of x goes on from row b of h.
inline Var gru_cell(const Var& x, const Var& h, const RecurrentWeights& w) {
  return apply(op::GruCell{}, x, w.w_ih, w.w_hh, w.b_ih, w.b_hh, h);
}

}  // namespace fovea
