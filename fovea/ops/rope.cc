#include "fovea/ops/rope.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"

namespace fovea::op {
namespace {

/// The turns of each position that occurs, worked out once however many rows stand there.
template <class T>
class Turns {
 public:
  Turns(const Tensor& positions, const Rope& config) : pairs_(config.width / 2) {
    const auto all = positions.span<std::int32_t>();
    positions_.assign(all.begin(), all.end());
    std::sort(positions_.begin(), positions_.end());
    positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
    table_.resize(positions_.size() * static_cast<std::size_t>(2 * pairs_));
    parallel_for(static_cast<Dim>(positions_.size()), 256 / (pairs_ + 1) + 1,
                 [&](Dim begin, Dim end) {
                   for (Dim p = begin; p < end; ++p) fill(p, config);
                 });
  }

  /// D/2 cosines, then D/2 sines.
  const T* at(std::int32_t position) const {
    const auto found = std::lower_bound(positions_.begin(), positions_.end(), position);
    return table_.data() + (found - positions_.begin()) * 2 * pairs_;
  }

 private:
  void fill(Dim p, const Rope& config) {
    T* row = table_.data() + p * 2 * pairs_;
    for (Dim i = 0; i < pairs_; ++i) {
      const double exponent = -2 * static_cast<double>(i) / static_cast<double>(config.width);
      const double angle =
          positions_[static_cast<std::size_t>(p)] * std::pow(config.base, exponent);
      row[i] = static_cast<T>(std::cos(angle));
      row[pairs_ + i] = static_cast<T>(std::sin(angle));
    }
  }

  Dim pairs_;
  ArenaVector<std::int32_t> positions_;
  ArenaVector<T> table_;
};

/// y = x turned by the angle (sign 1) or back (sign -1); `step` is 1 in halves, 2 interleaved.
template <class T>
void turn_head(const T* x, T* y, const T* turn, Dim pairs, Dim step, Dim partner, T sign) {
  for (Dim i = 0; i < pairs; ++i) {
    const T a = x[i * step], b = x[i * step + partner];
    const T cosine = turn[i], sine = sign * turn[pairs + i];
    y[i * step] = a * cosine - b * sine;
    y[i * step + partner] = a * sine + b * cosine;
  }
}

Tensor turned(const Tensor& x, const Tensor& positions, const Rope& config, double sign) {
  Tensor y = Tensor::empty(x.shape(), x.dtype());
  const Dim pairs = config.width / 2;
  const Dim heads = config.heads > 0 ? config.heads : x.cols() / config.width;
  with_real(Rotate::name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Turns<T> turns(positions, config);
    const Rows<const T> from = x.view<T>();
    const Rows<T> to = y.mutable_view<T>();
    parallel_for(from.rows, kernels::row_grain(from.cols), [&](Dim begin, Dim end) {
      for (Dim r = begin; r < end; ++r) {
        const T* turn = turns.at(positions.data<std::int32_t>()[r]);
        for (Dim h = 0; h < heads; ++h) {
          const Dim at = h * config.width;
          if (config.layout == RopeLayout::halves) {
            turn_head(from[r] + at, to[r] + at, turn, pairs, 1, pairs, static_cast<T>(sign));
          } else {
            turn_head(from[r] + at, to[r] + at, turn, pairs, 2, 1, static_cast<T>(sign));
          }
        }
        std::copy(from[r] + heads * config.width, from[r] + from.cols,
                  to[r] + heads * config.width);
      }
    });
  });
  return y;
}

}  // namespace

Tensor Rotate::forward(const Tensor& x) const {
  FOVEA_CHECK(config.width > 0 && config.width % 2 == 0 && x.cols() % config.width == 0,
              "rope: heads of ", config.width, " columns in rows of ", x.cols(),
              "; expected an even width that divides them");
  FOVEA_CHECK(config.heads >= 0 && config.heads * config.width <= x.cols(), "rope: ", config.heads,
              " heads of ", config.width, " columns to turn in rows of ", x.cols());
  FOVEA_CHECK(positions.size() == x.rows(), "rope: ", positions.size(), " positions for ", x.rows(),
              " rows");
  return turned(x, positions, config, 1);
}

std::array<Tensor, 1> Rotate::backward(const Tensor& dy) const {
  return {turned(dy, positions, config, -1)};
}

}  // namespace fovea::op
