#include "fovea/autograd/var.h"

#include <algorithm>

#include "fovea/autograd/tape.h"

namespace fovea {
namespace {

thread_local bool tape_is_off = false;
thread_local Tape::Uses* uses = nullptr;

}  // namespace

Var Var::parameter(Tensor value) {
  FOVEA_CHECK(value.dtype() == DType::f32 || value.dtype() == DType::f64,
              "parameter: expected f32 or f64, found ", value.dtype());
  const NodeRef leaf = make_node<Leaf>(value);
  return Tape::output(std::move(value), leaf, 0);
}

NoTape::NoTape() : before_(std::exchange(tape_is_off, true)) {}
NoTape::~NoTape() { tape_is_off = before_; }

bool recording() { return !tape_is_off; }

Tape::Uses::Uses() : before_(std::exchange(uses, this)) {}
Tape::Uses::~Uses() { uses = before_; }

void Tape::note_use(const Var& input) {
  if (!uses || !input.needs_gradient()) return;
  const Edge& edge = Tape::edge(input);
  const bool known = std::any_of(uses->found.begin(), uses->found.end(),
                                 [&](const Edge& e) { return e.node.get() == edge.node.get(); });
  if (!known) uses->found.push_back(edge);
}

}  // namespace fovea
