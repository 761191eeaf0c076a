#include "fovea/ops/windows.h"

#include <algorithm>
#include <limits>

namespace fovea {
namespace {

void check(const Window& w) {
  FOVEA_CHECK(w.size >= 1 && w.stride >= 1 && w.dilation >= 1 && w.before >= 0 && w.after >= 0,
              "window: expected a size, a stride and a dilation of at least 1 and no negative "
              "reach, found size ",
              w.size, ", stride ", w.stride, ", dilation ", w.dilation, ", before ", w.before,
              ", after ", w.after);
}

void check_rows(Dim rows) {
  FOVEA_CHECK(rows <= std::numeric_limits<std::int32_t>::max(), "window: ", rows,
              " taps in all are more than 2^31");
}

/// The input under tap k of place `output`; -1: beyond the ends.
Dim under(const Window& w, Dim output, Dim k, Dim length) {
  const Dim i = output * w.stride - w.before + k * w.dilation;
  return i >= 0 && i < length ? i : -1;
}

}  // namespace

Dim Window::outputs(Dim length) const {
  const Dim room = length + before + after - dilation * (size - 1) - 1;
  return length == 0 || room < 0 ? 0 : room / stride + 1;
}

Segments windowed(const Segments& segments, const Window& window) {
  check(window);
  ArenaVector<Dim> lengths(static_cast<std::size_t>(segments.count()));
  for (Dim s = 0; s < segments.count(); ++s) lengths[s] = window.outputs(segments.length(s));
  return Segments::of_lengths(lengths);
}

ImageShape windowed(const ImageShape& images, const Window2d& window) {
  check(window.height);
  check(window.width);
  return {images.count, window.height.outputs(images.height), window.width.outputs(images.width)};
}

Windows::Windows(const Segments& segments, const Window& window) {
  const Segments out = windowed(segments, window);
  inputs_ = segments.rows();
  outputs_ = out.rows();
  taps_ = window.size;
  check_rows(outputs_ * taps_);
  index_ = Tensor::empty({outputs_, taps_}, DType::i32);
  std::int32_t* next = index_.mutable_data<std::int32_t>();
  for (Dim s = 0; s < segments.count(); ++s) {
    for (Dim t = 0; t < out.length(s); ++t) {
      for (Dim k = 0; k < taps_; ++k) {
        const Dim i = under(window, t, k, segments.length(s));
        *next++ = static_cast<std::int32_t>(i < 0 ? -1 : segments.begin(s) + i);
      }
    }
  }
}

Windows::Windows(const ImageShape& images, const Window2d& window) {
  const ImageShape out = windowed(images, window);
  inputs_ = images.rows();
  outputs_ = out.rows();
  taps_ = window.height.size * window.width.size;
  check_rows(outputs_ * taps_);
  index_ = Tensor::empty({outputs_, taps_}, DType::i32);
  std::int32_t* next = index_.mutable_data<std::int32_t>();
  for (Dim row = 0; row < outputs_; ++row) {
    const Dim x = row % out.width, y = row / out.width % out.height;
    const Dim first = row / (out.width * out.height) * images.height;
    for (Dim ky = 0; ky < window.height.size; ++ky) {
      const Dim iy = under(window.height, y, ky, images.height);
      for (Dim kx = 0; kx < window.width.size; ++kx) {
        const Dim ix = under(window.width, x, kx, images.width);
        *next++ =
            static_cast<std::int32_t>(iy < 0 || ix < 0 ? -1 : (first + iy) * images.width + ix);
      }
    }
  }
}

Windows::Windows(Dim inputs, Tensor index)
    : inputs_(inputs), outputs_(index.rows()), taps_(index.cols()), index_(std::move(index)) {
  check_rows(outputs_ * taps_);
  for (const std::int32_t row : index_.span<std::int32_t>()) {
    FOVEA_CHECK(row >= -1 && row < inputs_, "window: no row ", row, " of ", inputs_);
  }
}

Windows::Seen Windows::seen() const {
  const auto index = index_.span<std::int32_t>();
  Seen seen{.begin = ArenaVector<Dim>(static_cast<std::size_t>(inputs_) + 1, Dim(0)), .by = {}};
  for (const std::int32_t i : index) {
    if (i >= 0) ++seen.begin[i + 1];
  }
  for (Dim i = 0; i < inputs_; ++i) seen.begin[i + 1] += seen.begin[i];
  seen.by.resize(static_cast<std::size_t>(seen.begin.back()));
  ArenaVector<Dim> next(seen.begin.begin(), seen.begin.end() - 1);
  for (std::size_t place = 0; place < index.size(); ++place) {
    if (index[place] >= 0) seen.by[next[index[place]]++] = static_cast<std::int32_t>(place);
  }
  return seen;
}

}  // namespace fovea
