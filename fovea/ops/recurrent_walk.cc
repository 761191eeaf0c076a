#include "fovea/ops/recurrent_walk.h"

#include "fovea/kernels/gemm.h"
#include "fovea/kernels/reduce.h"
#include "fovea/ops/weight_gradient.h"

namespace fovea::op {
namespace {

void check_shape(std::string_view name, std::string_view what, const Tensor& t, Shape expected) {
  FOVEA_CHECK(t.shape() == expected, name, ": expected ", what, " of shape ", expected, ", found ",
              t.shape());
}

/// The gradient of a bias.
Tensor column_sums(const Tensor& x) {
  Tensor sums = Tensor::empty({x.cols()}, x.dtype());
  with_real("recurrent", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::column_sums(x.view<T>(), sums.mutable_data<T>());
  });
  return sums;
}

}  // namespace

Tensor sum_of(const Tensor& a, const Tensor& b) {
  Tensor sum = a.clone();
  add_to(sum, b);
  return sum;
}

void RecurrentWalk::begin(std::string_view name, const Segments& segments, Direction direction,
                          Dim gates, const Tensor& rows, std::array<Tensor, 4> weights,
                          const Tensor& initial) {
  const auto& [ih, hh, b_ih, b_hh] = weights;
  FOVEA_CHECK(hh.shape().rank() == 2 && hh.rows() == gates * hh.cols(), name,
              ": expected w_hh of shape (", gates, " H, H), found ", hh.shape());
  const Dim hidden = hh.cols();
  FOVEA_CHECK(rows.shape().rank() == 2 && rows.rows() == segments.rows(), name, ": expected ",
              segments.rows(), " rows, as many as the segments have, found x of shape ",
              rows.shape());
  check_shape(name, "w_ih", ih, {gates * hidden, rows.cols()});
  check_shape(name, "b_ih", b_ih, {gates * hidden});
  check_shape(name, "b_hh", b_hh, {gates * hidden});
  has_initial = initial.defined();
  if (has_initial) check_shape(name, "an initial state", initial, {segments.count(), hidden});
  steps = Steps(segments, direction);
  x = steps.to_steps(rows);
  w_ih = ih;
  w_hh = hh;
  h0 = has_initial ? steps.to_sorted(initial)
                   : Tensor::zeros({segments.count(), hidden}, rows.dtype());
  h = Tensor::empty({rows.rows(), hidden}, rows.dtype());
}

Tensor RecurrentWalk::input_product(const Tensor& bias) const {
  Tensor product = Tensor::empty({x.rows(), w_ih.rows()}, x.dtype());
  with_real("recurrent", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::gemm(x.view<T>(), w_ih.view<T>(), product.mutable_view<T>(),
                  {.transpose_b = true, .bias = bias.data<T>()});
  });
  return product;
}

std::array<Gradient, 5> RecurrentWalk::backward(const Tensor& d_input, const Tensor& d_hidden,
                                                Needs needs) const {
  Tensor dx, db_ih, db_hh;
  Gradient dw_ih, dw_hh;
  if (needs[0]) {
    dx = Tensor::empty(x.shape(), x.dtype());
    with_real("recurrent", x.dtype(), [&](auto zero) {
      using T = decltype(zero);
      kernels::gemm(d_input.view<T>(), w_ih.view<T>(), dx.mutable_view<T>());
    });
    dx = steps.to_batch(dx);
  }
  if (needs[1]) dw_ih = weight_gradient(d_input, x);
  if (needs[2]) {  // h0 = 0 adds nothing
    const Dim begin = has_initial || steps.count() == 0 ? 0 : steps.end(0);
    dw_hh = weight_gradient(d_hidden.slice(begin, d_hidden.rows()),
                            steps.before(h, h0).slice(begin, d_hidden.rows()));
  }
  if (needs[3]) db_ih = column_sums(d_input);
  if (needs[4]) {
    db_hh =
        db_ih.defined() && d_input.same_memory(d_hidden) ? db_ih.clone() : column_sums(d_hidden);
  }
  return {dx, dw_ih, dw_hh, db_ih, db_hh};
}

}  // namespace fovea::op
