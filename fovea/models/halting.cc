#include "fovea/models/halting.h"

#include <numeric>

#include "fovea/ops/elementwise.h"
#include "fovea/ops/linear.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace {

std::vector<double> numbers_of(const Tensor& column) {
  std::vector<double> numbers;
  with_real("halting", column.dtype(), [&](auto zero) {
    const auto values = column.span<decltype(zero)>();
    numbers.assign(values.begin(), values.end());
  });
  return numbers;
}

}  // namespace

HaltingUnit::HaltingUnit(Scope s, Dim width, const HaltingConfig& c)
    : config(c),
      weight(s.param("weight", {1, width}, init::xavier())),
      bias(s.param("bias", {1}, init::ones())) {
  FOVEA_CHECK(c.steps >= 1, ErrorKind::bad_setting, "halting: ", c.steps,
              " steps; at least one is taken");
  FOVEA_CHECK(c.margin >= 0 && c.margin < 1, ErrorKind::bad_setting, "halting: a margin of ",
              c.margin, "; it is from 0 to less than 1");
}

Var HaltingUnit::chance(const Var& states) const {
  return linear(states, weight, bias, {.activation = Activation::sigmoid});
}

Halting::Halting(const HaltingUnit& unit, Dim rows, DType dtype)
    : unit_(unit),
      rows_(rows),
      running_(rows),
      dtype_(dtype),
      steps_(static_cast<std::size_t>(rows), 0),
      spent_(Tensor::zeros({rows, 1}, dtype)),
      shares_(Tensor::zeros({rows * unit.config.steps, 1}, dtype)) {}

template <class Value>
Tensor Halting::column(const Value& value) const {
  Tensor column = Tensor::empty({rows_, 1}, dtype_);
  with_real("halting", dtype_, [&](auto zero) {
    using T = decltype(zero);
    for (Dim r = 0; r < rows_; ++r) {
      column.mutable_data<T>()[r] = static_cast<T>(value(static_cast<std::size_t>(r)));
    }
  });
  return column;
}

Var Halting::step(const Var& before, const Var& after) {
  const std::vector<Dim> halted = steps_;
  const Dim here = ++step_;
  const Var p = unit_.chance(after);  // (N, 1)
  const std::vector<double> chance = numbers_of(p.value()), spent = numbers_of(spent_.value());
  for (std::size_t r = 0; r < steps_.size(); ++r) {
    const bool enough = spent[r] + chance[r] >= 1 - unit_.config.margin;
    if (halted[r] == 0 && (enough || here == unit_.config.steps)) steps_[r] = here, --running_;
  }
  const Var goes_on = column([&](std::size_t r) { return steps_[r] == 0; });
  const Var ends = column([&](std::size_t r) { return steps_[r] == here; });
  const Var taken = mul(p, goes_on);
  const Var share = add(taken, mul(add_scalar(scale(spent_, -1), 1), ends));  // (N, 1)
  spent_ = add(spent_, taken);
  const Var part = mul_column(after, share);
  sum_ = sum_.defined() ? add(sum_, part) : part;
  with_real("halting", dtype_, [&](auto zero) {
    using T = decltype(zero);
    for (Dim r = 0; r < rows_; ++r) {
      shares_.mutable_data<T>()[r * unit_.config.steps + here - 1] = share.value().data<T>()[r];
    }
  });

  std::vector<std::int32_t> from(halted.size());
  for (std::size_t r = 0; r < from.size(); ++r) {
    from[r] = static_cast<std::int32_t>(r) + (halted[r] > 0 ? static_cast<std::int32_t>(rows_) : 0);
  }
  return gather_rows(concat_rows({after, before}), Tensor::from<std::int32_t>({rows_}, from));
}

Var Halting::cost() const {
  const auto steps = std::accumulate(steps_.begin(), steps_.end(), Dim(0));
  return add_scalar(scale(sum(spent_), -1), static_cast<double>(steps + rows_));
}

}  // namespace fovea
