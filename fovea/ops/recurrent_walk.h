/// What the layers and the cells of recurrent.h share: the walk over steps and back. A cell is a
/// walk of one step. Everything here is in the order of steps (steps.h), states are sorted.
#pragma once

#include <array>

#include "fovea/autograd/node.h"
#include "fovea/ops/steps.h"

namespace fovea::op {

/// The inputs that all kinds have, and the states that they pass through.
struct RecurrentWalk {
  Steps steps;
  Tensor x;           // (N, I)
  Tensor w_ih, w_hh;  // (G H, I), (G H, H)
  Tensor h0;          // (B, H), zeros if none was given
  bool has_initial = false;
  Tensor h;  // (N, H) after each step

  /// Checks the shapes and fills all but h. `segments` are those of `rows`, which are in the
  /// batch's order; an undefined `initial` stands for zeros.
  void begin(std::string_view name, const Segments& segments, Direction direction, Dim gates,
             const Tensor& rows, std::array<Tensor, 4> weights, const Tensor& initial);

  Dim hidden() const { return w_hh.cols(); }

  /// x W_ih' + bias for all steps at once, (N, G H).
  Tensor input_product(const Tensor& bias) const;

  /// The gradients of rows (in the batch's order), w_ih, w_hh, b_ih, b_hh, from those of the gates'
  /// two summands: W_ih x + b_ih and W_hh h + b_hh. Those that are not needed stay undefined.
  std::array<Gradient, 5> backward(const Tensor& d_input, const Tensor& d_hidden,
                                   Needs needs) const;
};

struct LstmWalk : RecurrentWalk {
  Tensor c0;     // (B, H)
  Tensor c;      // (N, H) after each step
  Tensor gates;  // (N, 4H): i, f, g, o after their activation

  void forward(const Tensor& bias);
  /// Takes the gradients of h (N, H) and of each sequence's last c (B, H), which it writes over
  /// with those of c0; adds that of h0 to dh0. Gives the gradient of the gates' sums, in their
  /// memory.
  Tensor backward(Tensor& dh, Tensor& dc, Tensor& dh0);
};

struct GruWalk : RecurrentWalk {
  Tensor gates;        // (N, 3H): r, z, n after their activation
  Tensor hidden_part;  // (N, 3H): W_hh h + b_hh before each step

  void forward(const Tensor& b_ih, const Tensor& b_hh);
  /// Takes the gradient of h (N, H), adds that of h0 to dh0. Gives those of the gates' two
  /// summands, in their memory.
  std::array<Tensor, 2> backward(Tensor& dh, Tensor& dh0);
};

/// a + b, of equal shape.
Tensor sum_of(const Tensor& a, const Tensor& b);

}  // namespace fovea::op
