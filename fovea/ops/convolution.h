/// Convolution over sequences and images of rows: one row a time step or pixel, one column a
/// channel.
///
/// Letters: N input rows, M output rows, C channels in, O channels out, K taps of the window.
#pragma once

#include "fovea/autograd/apply.h"
#include "fovea/ops/windows.h"

namespace fovea {
namespace op {

/// y_m = b + sum_k W_k x_(row under tap k of place m). The rows under a window are laid side by
/// side (M, K C), and one product does the rest; where each channel has a filter of its own, there
/// is nothing to multiply by, and the sum is made in place.
struct Convolution {
  static constexpr std::string_view name = "convolution";
  Windows windows;
  Dim groups = 1;
  Tensor x = {}, weight = {};  // weight: (O, C / groups, taps of each axis)
  Tensor forward(const Tensor& rows, const Tensor& weight, const Tensor& bias);
  std::array<Tensor, 3> backward(const Tensor& dy, Needs needs) const;
};

struct RowsUnder {
  static constexpr std::string_view name = "rows_under";
  Windows windows;
  Tensor forward(const Tensor& x) const;
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

}  // namespace op

/// The rows under each place of a window side by side, zeros where there is none: (N, C) ->
/// (M, K C). A linear map of them is a convolution, whose weight (O, K C) has a row for each
/// filter.
inline Var rows_under(const Var& x, const Windows& windows) {
  return apply(op::RowsUnder{windows}, x);
}

/// Each sequence by itself. weight (O, C / groups, window.size); the bias (O) may be undefined. The
/// sequences of the result are windowed(segments, window).
Var conv1d(const Var& x, const Segments& segments, const Var& weight, const Var& bias,
           const Window& window, Dim groups = 1);

/// weight (O, C / groups, window.height.size, window.width.size), as PyTorch keeps it. The images
/// of the result are windowed(images, window).
Var conv2d(const Var& x, const ImageShape& images, const Var& weight, const Var& bias,
           const Window2d& window, Dim groups = 1);

}  // namespace fovea
