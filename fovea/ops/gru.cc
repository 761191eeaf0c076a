#include "fovea/kernels/elementwise.h"
#include "fovea/kernels/gates.h"
#include "fovea/ops/recurrent.h"
#include "fovea/ops/step_product.h"

namespace fovea::op {

void GruWalk::forward(const Tensor& b_ih, const Tensor& b_hh) {
  gates = input_product(b_ih);
  hidden_part = Tensor::empty(gates.shape(), gates.dtype());
  with_real("gru", h.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const StepProduct<T> product(w_hh.view<T>(), true, steps.count());
    const Rows<T> all_gates = gates.mutable_view<T>(), all_h = h.mutable_view<T>(),
                  all_hidden = hidden_part.mutable_view<T>();
    Rows<const T> h_before = h0.view<T>();
    for (Dim t = 0; t < steps.count(); ++t) {
      const Dim begin = steps.begin(t), end = steps.end(t), active = end - begin;
      product.set(h_before.range(0, active), b_hh.data<T>(), all_hidden.range(begin, end));
      kernels::gru(all_gates.range(begin, end), all_hidden.range(begin, end),
                   h_before.range(0, active), all_h.range(begin, end));
      h_before = all_h.range(begin, end);
    }
  });
}

std::array<Tensor, 2> GruWalk::backward(Tensor& dh, Tensor& dh0) {
  Tensor past = Tensor::empty(h0.shape(), h0.dtype());  // what reaches the state before a step by z
  with_real("gru", h.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const StepProduct<T> product(w_hh.view<T>(), false, steps.count());
    for (Dim t = steps.count() - 1; t >= 0; --t) {
      const Dim begin = steps.begin(t), end = steps.end(t), active = end - begin;
      const Dim before = t > 0 ? steps.begin(t - 1) : 0;
      const Rows<T> g = gates.mutable_view<T>().range(begin, end);
      const Rows<T> u = hidden_part.mutable_view<T>().range(begin, end);
      const Rows<T> past_t = past.mutable_view<T>().range(0, active);
      const Rows<T> dh_before = (t > 0 ? dh : dh0).mutable_view<T>().range(before, before + active);
      kernels::gru_backward(kernels::GruBackward<T>{
          .gates = g,
          .h_gates = u,
          .h_prev = (t > 0 ? h : h0).view<T>().range(before, before + active),
          .dh = dh.view<T>().range(begin, end),
          .dx_gates = g,
          .dh_gates = u,
          .dh_prev = past_t});
      kernels::binary(kernels::Binary::add, dh_before.data, past_t.data, dh_before.data,
                      past_t.size());
      if (t > 0 || has_initial) product.add(u, dh_before);
    }
  });
  return {std::move(gates), std::move(hidden_part)};
}

namespace {

/// Of x, the weights and the initial state, from that of what the walk gave.
std::array<Gradient, 6> gradients(GruWalk& walk, Tensor& dh, Tensor& dh0, Needs needs) {
  const auto [d_input, d_hidden] = walk.backward(dh, dh0);
  auto [dx, dw_ih, dw_hh, db_ih, db_hh] = walk.RecurrentWalk::backward(d_input, d_hidden, needs);
  return {dx, dw_ih, dw_hh, db_ih, db_hh, dh0};
}

}  // namespace

std::array<Tensor, 2> GruLayer::forward(const Tensor& x, const Tensor& w_ih, const Tensor& w_hh,
                                        const Tensor& b_ih, const Tensor& b_hh, const Tensor& h0) {
  walk.begin(name, segments, direction, 3, x, {w_ih, w_hh, b_ih, b_hh}, h0);
  walk.forward(b_ih, b_hh);
  return {walk.steps.to_batch(walk.h), walk.steps.last(walk.h, walk.h0)};
}

std::array<Gradient, 6> GruLayer::backward(std::span<const Tensor> dy, Needs needs) {
  const Steps& steps = walk.steps;
  Tensor dh = steps.to_steps(dy[0]).clone();
  Tensor dh0 = steps.last_backward(dy[1], dh);
  auto out = gradients(walk, dh, dh0, needs);
  out[5] = steps.from_sorted(out[5].dense());
  return out;
}

Tensor GruCell::forward(const Tensor& x, const Tensor& w_ih, const Tensor& w_hh, const Tensor& b_ih,
                        const Tensor& b_hh, const Tensor& h0) {
  walk.begin(name, Segments::uniform(x.rows(), 1), Direction::forward, 3, x,
             {w_ih, w_hh, b_ih, b_hh}, h0);
  walk.forward(b_ih, b_hh);
  return walk.h;
}

std::array<Gradient, 6> GruCell::backward(const Tensor& dy, Needs needs) {
  Tensor dh = dy.clone();
  Tensor dh0 = Tensor::zeros(dh.shape(), dh.dtype());
  return gradients(walk, dh, dh0, needs);
}

}  // namespace fovea::op
