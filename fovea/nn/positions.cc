#include "fovea/nn/positions.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"

namespace fovea {
namespace {

/// Of the sine or cosine number i, as what a position is divided by.
double period(Dim i, Dim width) {
  return std::pow(10000.0, static_cast<double>(2 * i) / static_cast<double>(width));
}

/// Number i, and whether it is a cosine.
std::pair<Dim, bool> place_in(SinusoidLayout layout, Dim column, Dim width) {
  if (layout == SinusoidLayout::interleaved) return {column / 2, column % 2 != 0};
  const Dim sines = (width + 1) / 2;
  return column < sines ? std::pair(column, false) : std::pair(column - sines, true);
}

template <class T>
void write_sinusoid(std::int32_t position, T* row, Dim width, SinusoidLayout layout) {
  for (Dim c = 0; c < width; ++c) {
    const auto [i, cosine] = place_in(layout, c, width);
    const double angle = position / period(i, width);
    row[c] = static_cast<T>(cosine ? std::cos(angle) : std::sin(angle));
  }
}

}  // namespace

Sinusoid sinusoid(Dim column, Dim width, SinusoidLayout layout) {
  const auto [i, cosine] = place_in(layout, column, width);
  return {1 / period(i, width), cosine};
}

Tensor positions_of(const Segments& segments) {
  const ArenaVector<Dim> offsets(static_cast<std::size_t>(segments.count()), 0);
  return positions_of(segments, offsets);
}

Tensor positions_of(const Segments& segments, std::span<const Dim> offsets) {
  FOVEA_CHECK(static_cast<Dim>(offsets.size()) == segments.count(), "positions: ", offsets.size(),
              " offsets for ", segments.count(), " sequences");
  Tensor positions = Tensor::empty({segments.rows()}, DType::i32);
  auto* out = positions.mutable_data<std::int32_t>();
  for (Dim i = 0; i < segments.count(); ++i) {
    for (Dim t = 0; t < segments.length(i); ++t) {
      *out++ = static_cast<std::int32_t>(offsets[static_cast<std::size_t>(i)] + t);
    }
  }
  return positions;
}

Tensor sinusoidal(const Tensor& positions, Dim width, DType dtype, SinusoidLayout layout) {
  const auto at = positions.span<std::int32_t>();
  Tensor out = Tensor::empty({positions.size(), width}, dtype);
  // Many rows stand at the same position; each is worked out where it is first met.
  ArenaVector<std::int32_t> order(at.size());
  for (std::size_t r = 0; r < order.size(); ++r) order[r] = static_cast<std::int32_t>(r);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return at[a] < at[b]; });
  with_real("sinusoidal", dtype, [&](auto zero) {
    using T = decltype(zero);
    const Rows<T> rows = out.mutable_view<T>();
    parallel_for(rows.rows, 256 / (width + 1) + 1, [&](Dim begin, Dim end) {
      for (Dim k = begin; k < end; ++k) {
        const auto r = order[static_cast<std::size_t>(k)];
        const auto before = k > begin ? order[static_cast<std::size_t>(k - 1)] : r;
        if (k > begin && at[before] == at[r]) {
          std::copy_n(rows[before], width, rows[r]);
        } else {
          write_sinusoid(at[r], rows[r], width, layout);
        }
      }
    });
  });
  return out;
}

}  // namespace fovea
