/// The template behind optimizer_state.h.
#pragma once

#include <algorithm>

#include "fovea/base/threads.h"
#include "fovea/train/optimizer_state.h"

namespace fovea {
namespace detail {

/// What a row that was not used has as its gradient.
template <class T>
inline constexpr std::array<T, 1024> zero_gradient = {};

template <class T>
Piece<T> piece_of(const Slot& slot, const T* gradient, Dim begin, Dim end) {
  Tensor weight = slot.weight;
  Piece<T> piece{
      .gradient = gradient, .weight = weight.mutable_data<T>() + begin, .count = end - begin};
  for (std::size_t k = 0; k < piece.state.size(); ++k) {
    Tensor state = slot.state[k];
    if (state.defined()) piece.state[k] = state.mutable_data<T>() + begin;
  }
  piece.step = slot.step;
  return piece;
}

/// Numbers [begin, end) of a slot whose gradient is by rows: used rows and stretches of zeros.
template <class T, class Update>
void update_by_rows(const Slot& slot, Dim begin, Dim end, Update& update) {
  const auto ids = slot.gradient.ids().span<std::int32_t>();
  const Rows<const T> rows = slot.gradient.rows().view<T>();
  const Dim cols = rows.cols;
  auto next = std::lower_bound(ids.begin(), ids.end(), begin / cols);
  for (Dim at = begin; at < end;) {
    const Dim row = at / cols;
    if (next != ids.end() && *next == row) {
      const Dim stop = std::min(end, (row + 1) * cols);
      update(piece_of<T>(slot, rows[next - ids.begin()] + at % cols, at, stop));
      ++next;
      at = stop;
    } else {
      const Dim used = next == ids.end() ? end : std::min<Dim>(end, *next * cols);
      const Dim stop = std::min(used, at + static_cast<Dim>(zero_gradient<T>.size()));
      update(piece_of<T>(slot, zero_gradient<T>.data(), at, stop));
      at = stop;
    }
  }
}

template <class T, class Update>
void update_range(const Slot& slot, Dim begin, Dim end, Update& update) {
  if (slot.gradient.is_by_rows()) {
    update_by_rows<T>(slot, begin, end, update);
  } else {
    const Tensor dense = slot.gradient.dense();
    update(piece_of<T>(slot, dense.data<T>() + begin, begin, end));
  }
}

}  // namespace detail

template <class Update>
void update_all(const std::vector<Slot>& slots, Update&& update) {
  if (slots.empty()) return;
  constexpr Dim grain = 8192;  // numbers that are worth a second thread
  const Dim total = slots.back().begin + slots.back().weight.size();
  parallel_for(total, grain, [&](Dim begin, Dim end) {
    auto slot = std::upper_bound(slots.begin(), slots.end(), begin,
                                 [](Dim at, const Slot& s) { return at < s.begin; });
    for (--slot; slot != slots.end() && slot->begin < end; ++slot) {
      const Dim from = std::max(begin - slot->begin, Dim{0});
      const Dim to = std::min(end - slot->begin, slot->weight.size());
      if (from >= to) continue;
      with_real("optimizer", slot->weight.dtype(),
                [&](auto zero) { detail::update_range<decltype(zero)>(*slot, from, to, update); });
    }
  });
}

}  // namespace fovea
