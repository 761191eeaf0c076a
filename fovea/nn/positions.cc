#include "fovea/nn/positions.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"

namespace fovea {
namespace {

template <class T>
void write_sinusoid(std::int32_t position, T* row, Dim width) {
  for (Dim c = 0; c < width; ++c) {
    const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(width);
    const double angle = position / std::pow(10000.0, exponent);
    row[c] = static_cast<T>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
  }
}

}  // namespace

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

Tensor sinusoidal(const Tensor& positions, Dim width, DType dtype) {
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
          write_sinusoid(at[r], rows[r], width);
        }
      }
    });
  });
  return out;
}

}  // namespace fovea
