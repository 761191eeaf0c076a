/// Recurrent layers of either kind behind one face, for models that leave the choice to a recipe.
///
/// Letters: N rows, B sequences, H hidden units.
#pragma once

#include <array>
#include <string_view>
#include <variant>
#include <vector>

#include "fovea/nn/recurrent.h"

namespace fovea {

enum class Cell { lstm, gru };
constexpr std::array<std::string_view, 2> names_of(Cell) { return {"lstm", "gru"}; }

class RecurrentStack {
 public:
  RecurrentStack(Scope s, Cell cell, Dim in, Dim hidden, const RecurrentConfig& config);

  /// (B, H) each: of an LSTM h and c of the first layer, then of the next; of a GRU h alone. Both
  /// directions of a layer stand one after the other.
  using States = std::vector<Var>;

  struct Output {
    Var rows;  // (N, H) or (N, 2H)
    States states;
  };
  Output operator()(const Var& x, const Segments& segments, const Pass& pass,
                    const States& initial = {}) const;
  /// One row for each sequence.
  States step(const Var& x, const States& states, const Pass& pass) const;

  /// How many states each layer has in each direction.
  Dim parts() const { return std::holds_alternative<Lstm>(layers_) ? 2 : 1; }
  /// The h of the last layer.
  const Var& top(const States& states) const {
    return states[states.size() - static_cast<std::size_t>(parts())];
  }

 private:
  std::variant<Lstm, Gru> layers_;
};

}  // namespace fovea
