#include "fovea/kernels/gates.h"
#include "fovea/ops/recurrent.h"
#include "fovea/ops/step_product.h"

namespace fovea::op {

void LstmWalk::forward(const Tensor& bias) {
  gates = input_product(bias);
  c = Tensor::empty(h.shape(), h.dtype());
  with_real("lstm", h.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const StepProduct<T> product(w_hh.view<T>(), true, steps.count());
    const Rows<T> all_gates = gates.mutable_view<T>(), all_h = h.mutable_view<T>(),
                  all_c = c.mutable_view<T>();
    Rows<const T> h_before = h0.view<T>(), c_before = c0.view<T>();
    for (Dim t = 0; t < steps.count(); ++t) {
      const Dim begin = steps.begin(t), end = steps.end(t), active = end - begin;
      const Rows<T> g = all_gates.range(begin, end);
      if (t > 0 || has_initial) product.add(h_before.range(0, active), g);
      kernels::lstm(g, c_before.range(0, active), all_c.range(begin, end), all_h.range(begin, end));
      h_before = all_h.range(begin, end);
      c_before = all_c.range(begin, end);
    }
  });
}

Tensor LstmWalk::backward(Tensor& dh, Tensor& dc, Tensor& dh0) {
  with_real("lstm", h.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const StepProduct<T> product(w_hh.view<T>(), false, steps.count());
    const Rows<T> all_dh = dh.mutable_view<T>(), all_gates = gates.mutable_view<T>();
    for (Dim t = steps.count() - 1; t >= 0; --t) {
      const Dim begin = steps.begin(t), end = steps.end(t), active = end - begin;
      const Dim before = t > 0 ? steps.begin(t - 1) : 0;
      const Rows<T> g = all_gates.range(begin, end), dc_t = dc.mutable_view<T>().range(0, active);
      kernels::lstm_backward(kernels::LstmBackward<T>{
          .gates = g,
          .c_prev = (t > 0 ? c : c0).view<T>().range(before, before + active),
          .c = c.view<T>().range(begin, end),
          .dh = all_dh.range(begin, end),
          .dc = dc_t,
          .dgates = g,
          .dc_prev = dc_t});
      if (t > 0) {
        product.add(g, all_dh.range(before, before + active));
      } else if (has_initial) {
        product.add(g, dh0.mutable_view<T>().range(0, active));
      }
    }
  });
  return std::move(gates);
}

namespace {

void check_states(std::string_view name, const Tensor& h0, const Tensor& c0) {
  FOVEA_CHECK(h0.defined() == c0.defined(), name, ": expected h and c, or neither");
  FOVEA_CHECK(!h0.defined() || h0.shape() == c0.shape(), name, ": h is ", h0.shape(), ", c is ",
              c0.shape());
}

/// Of x, the weights and the initial state, from those of what the walk gave.
std::array<Gradient, 7> gradients(LstmWalk& walk, Tensor& dh, Tensor& dc, Tensor& dh0,
                                  Needs needs) {
  const Tensor d_gates = walk.backward(dh, dc, dh0);
  auto [dx, dw_ih, dw_hh, db_ih, db_hh] = walk.RecurrentWalk::backward(d_gates, d_gates, needs);
  return {dx, dw_ih, dw_hh, db_ih, db_hh, dh0, dc};
}

}  // namespace

std::array<Tensor, 3> LstmLayer::forward(const Tensor& x, const Tensor& w_ih, const Tensor& w_hh,
                                         const Tensor& b_ih, const Tensor& b_hh, const Tensor& h0,
                                         const Tensor& c0) {
  check_states(name, h0, c0);
  walk.begin(name, segments, direction, 4, x, {w_ih, w_hh, b_ih, b_hh}, h0);
  walk.c0 = walk.has_initial ? walk.steps.to_sorted(c0) : walk.h0;
  walk.forward(sum_of(b_ih, b_hh));
  const Steps& steps = walk.steps;
  return {steps.to_batch(walk.h), steps.last(walk.h, walk.h0), steps.last(walk.c, walk.c0)};
}

std::array<Gradient, 7> LstmLayer::backward(std::span<const Tensor> dy, Needs needs) {
  const Steps& steps = walk.steps;
  Tensor dh = steps.to_steps(dy[0]).clone();
  Tensor dh0 = steps.last_backward(dy[1], dh);
  Tensor dc = steps.to_sorted(dy[2]).clone();
  auto out = gradients(walk, dh, dc, dh0, needs);
  out[5] = steps.from_sorted(out[5].dense());
  out[6] = steps.from_sorted(out[6].dense());
  return out;
}

std::array<Tensor, 2> LstmCell::forward(const Tensor& x, const Tensor& w_ih, const Tensor& w_hh,
                                        const Tensor& b_ih, const Tensor& b_hh, const Tensor& h0,
                                        const Tensor& c0) {
  check_states(name, h0, c0);
  walk.begin(name, Segments::uniform(x.rows(), 1), Direction::forward, 4, x,
             {w_ih, w_hh, b_ih, b_hh}, h0);
  walk.c0 = walk.has_initial ? c0 : walk.h0;
  walk.forward(sum_of(b_ih, b_hh));
  return {walk.h, walk.c};
}

std::array<Gradient, 7> LstmCell::backward(std::span<const Tensor> dy, Needs needs) {
  Tensor dh = dy[0].clone(), dc = dy[1].clone();
  Tensor dh0 = Tensor::zeros(dh.shape(), dh.dtype());
  return gradients(walk, dh, dc, dh0, needs);
}

}  // namespace fovea::op
