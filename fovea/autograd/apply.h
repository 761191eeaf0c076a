/// How an op is applied. An op is one struct; what backward needs it keeps as members:
///
///   struct Softmax {                                     // y = softmax(x) over each row
///     static constexpr std::string_view name = "softmax";
///     Tensor y;
///     Tensor forward(const Tensor& x);
///     std::array<Tensor, 1> backward(const Tensor& dy) const;
///   };
///   inline Var softmax(const Var& x) { return apply(op::Softmax{}, x); }
///
/// forward takes the inputs' values and gives a Tensor, or a std::array of them: then apply gives a
/// std::array of Vars. backward takes dy (or the array of them; those nobody used are zeros) and
/// optionally `Needs`, and gives one Tensor or Gradient for each input; an undefined one means
/// zero. An op on any number of inputs takes and gives std::vector<Tensor> instead.
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <vector>

#include "fovea/autograd/tape.h"
#include "fovea/autograd/var.h"

namespace fovea {
namespace detail {

template <class Op>
class OpNode final : public Node {
 public:
  OpNode(Op op, std::size_t outputs) : Node(Op::name, outputs), op_(std::move(op)) {}

  void backward(std::span<const Tensor> dy, Receiver& receiver) override {
    FOVEA_CHECK(op_.has_value(), "backward: the tape through ", name,
                " was used before; make the loss again to go backward again");
    Op op = std::move(*op_);
    op_.reset();
    auto gradients = call(op, dy);
    FOVEA_CHECK(gradients.size() == edges.size(), name, ": ", edges.size(), " inputs but ",
                gradients.size(), " gradients");
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (edges[i].node) receiver.give(i, std::move(gradients[i]));
    }
  }

 private:
  auto call(Op& op, std::span<const Tensor> dy) {
    if constexpr (requires { op.backward(dy, Needs(edges)); }) {
      return op.backward(dy, Needs(edges));  // several outputs
    } else if constexpr (requires { op.backward(dy); }) {
      return op.backward(dy);
    } else if constexpr (requires { op.backward(dy[0], Needs(edges)); }) {
      return op.backward(dy[0], Needs(edges));
    } else {
      return op.backward(dy[0]);
    }
  }

  std::optional<Op> op_;
};

template <class Op, class Inputs>
NodeRef record(Op&& op, std::size_t outputs, const Inputs& inputs) {
  NodeRef node = make_node<OpNode<std::decay_t<Op>>>(std::forward<Op>(op), outputs);
  node->edges.reserve(inputs.size());
  for (const Var* input : inputs) node->edges.push_back(Tape::edge(*input));
  return node;
}

template <class Inputs>
bool wants_tape(const Inputs& inputs) {
  bool wanted = false;
  for (const Var* input : inputs) wanted = wanted || input->needs_gradient();
  if (!wanted || recording()) return wanted;
  for (const Var* input : inputs) Tape::note_use(*input);
  return false;
}

template <class Op, class Inputs>
Var finish(Op&& op, Tensor y, const Inputs& inputs) {
  if (!wants_tape(inputs)) return y;
  return Tape::output(std::move(y), record(std::forward<Op>(op), 1, inputs), 0);
}

template <class Op, std::size_t N, class Inputs>
std::array<Var, N> finish(Op&& op, std::array<Tensor, N> ys, const Inputs& inputs) {
  std::array<Var, N> out;
  NodeRef node;
  if (wants_tape(inputs)) node = record(std::forward<Op>(op), N, inputs);
  for (std::size_t i = 0; i < N; ++i) {
    if (node) {
      out[i] = Tape::output(std::move(ys[i]), node, static_cast<int>(i));
    } else {
      out[i] = std::move(ys[i]);
    }
  }
  return out;
}

}  // namespace detail

template <class Op, std::same_as<Var>... In>
auto apply(Op op, const In&... inputs) {
  auto y = op.forward(inputs.value()...);
  return detail::finish(std::move(op), std::move(y),
                        std::array<const Var*, sizeof...(In)>{&inputs...});
}

template <class Op>
auto apply(Op op, const std::vector<Var>& inputs) {
  ArenaVector<const Var*> pointers;
  std::vector<Tensor> values;
  for (const Var& input : inputs) {
    pointers.push_back(&input);
    values.push_back(input.value());
  }
  auto y = op.forward(values);
  return detail::finish(std::move(op), std::move(y), pointers);
}

}  // namespace fovea
