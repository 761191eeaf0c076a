/// Which rows lie under a sliding window: what convolution and pooling, over sequences and over
/// images, have in common. Beyond the ends of a sequence or the edges of an image lies nothing; a
/// window never reaches into a neighbour.
#pragma once

#include "fovea/base/arena.h"
#include "fovea/tensor/segments.h"

namespace fovea {

/// How a window slides along one axis.
struct Window {
  Dim size = 1;
  Dim stride = 1;
  Dim dilation = 1;  // the distance of its taps
  Dim before = 0;    // how far it may reach beyond the beginning
  Dim after = 0;     // and beyond the end

  /// As many outputs as inputs, centred.
  static Window same(Dim size, Dim dilation = 1) {
    const Dim reach = (size - 1) * dilation;
    return {.size = size, .dilation = dilation, .before = reach / 2, .after = reach - reach / 2};
  }
  /// As many outputs as inputs; output t sees nothing after input t.
  static Window causal(Dim size, Dim dilation = 1) {
    return {.size = size, .dilation = dilation, .before = (size - 1) * dilation};
  }

  /// The number of places of this window along `length` inputs.
  Dim outputs(Dim length) const;
};

/// Images of the same size, as rows: pixel (y, x) of image i is row (i height + y) width + x.
struct ImageShape {
  Dim count = 0, height = 0, width = 0;
  Dim rows() const { return count * height * width; }
  bool operator==(const ImageShape&) const = default;
};

struct Window2d {
  Window height, width;
};

/// The sequences, or images, that a window leaves.
Segments windowed(const Segments& segments, const Window& window);
ImageShape windowed(const ImageShape& images, const Window2d& window);

/// The rows under each place of a window.
class Windows {
 public:
  Windows() = default;
  Windows(const Segments& segments, const Window& window);
  Windows(const ImageShape& images, const Window2d& window);
  /// As given: (outputs, taps) i32, rows of `inputs`; -1: none.
  Windows(Dim inputs, Tensor index);

  Dim inputs() const { return inputs_; }
  Dim outputs() const { return outputs_; }
  Dim taps() const { return taps_; }
  /// The row of the input under each tap of place `output`; -1: none.
  const std::int32_t* rows(Dim output) const {
    return index_.data<std::int32_t>() + output * taps_;
  }

  /// The other way round: by whom each row of the input is seen.
  struct Seen {
    ArenaVector<Dim> begin;        // places [begin[i], begin[i + 1]) of `by` are of row i
    ArenaVector<std::int32_t> by;  // output * taps + tap, rising
  };
  Seen seen() const;

 private:
  Dim inputs_ = 0, outputs_ = 0, taps_ = 0;
  Tensor index_;  // (outputs, taps) i32
};

}  // namespace fovea
