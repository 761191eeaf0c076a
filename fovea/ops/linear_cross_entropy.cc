#include <algorithm>

#include "fovea/kernels/cross_entropy.h"
#include "fovea/kernels/gemm.h"
#include "fovea/kernels/reduce.h"
#include "fovea/ops/expect.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/loss_targets.h"

namespace fovea::op {
namespace {

// Logits of a block: few enough to stay near the cores, and rows enough that the gradient of W,
// which each block reads and writes, is worth it.
constexpr Dim kBlockLogits = 2 * 1024 * 1024;
constexpr Dim kBlockRows = 128;

Dim rows_of_block(Dim rows, Dim classes) {
  return std::min(rows, std::max(kBlockRows, kBlockLogits / std::max<Dim>(classes, 1)));
}

/// One block after the other: logits, loss and softmax in place, then what each gradient gets.
template <class T>
struct Blocks {
  Rows<const T> h;
  const Tensor& weight;
  const kernels::PackedMatrix<T>& packed;
  const T* bias;
  const std::int32_t* targets;
  T smoothing;
  T row_weight;
  std::array<Tensor, 3>& gradients;  // made by the caller, those that are wanted

  // The losses of the rows.
  void run(T* losses) {
    const Dim block = rows_of_block(h.rows, weight.rows());
    const bool backward =
        gradients[0].defined() || gradients[1].defined() || gradients[2].defined();
    Tensor logits = Tensor::empty({block, weight.rows()}, dtype_of<T>);
    const Tensor weights = Tensor::full({block}, row_weight, dtype_of<T>);
    for (Dim begin = 0; begin < h.rows; begin += block) {
      const Dim end = std::min(h.rows, begin + block);
      const Rows<T> z = logits.mutable_view<T>().range(0, end - begin);
      kernels::gemm(h.range(begin, end), packed, z, {.bias = bias});
      kernels::cross_entropy(z, targets + begin, smoothing, losses + begin,
                             backward ? weights.data<T>() : nullptr);
      if (backward) add_gradients(z, begin, end);
    }
  }

  // dh = dz W, dW += dz' h, db += sum over rows of dz
  void add_gradients(Rows<const T> dz, Dim begin, Dim end) {
    if (gradients[0].defined()) {
      kernels::gemm(dz, weight.view<T>(), gradients[0].mutable_view<T>().range(begin, end));
    }
    if (gradients[1].defined()) {
      kernels::gemm(dz, h.range(begin, end), gradients[1].mutable_view<T>(),
                    {.transpose_a = true, .accumulate = begin > 0});
    }
    if (!gradients[2].defined()) return;
    Tensor part = Tensor::empty(gradients[2].shape(), dtype_of<T>);
    kernels::column_sums(dz, part.mutable_data<T>());
    add_to(gradients[2], part);
  }
};

/// The packed weight that was given, or one made now.
template <class T>
class PackedOnce {
 public:
  PackedOnce(const kernels::PackedMatrix<float>* given, const Tensor& weight) {
    if constexpr (std::is_same_v<T, float>) given_ = given;
    if (!given_) made_ = kernels::PackedMatrix<T>(weight.view<T>(), true);
  }
  const kernels::PackedMatrix<T>& operator*() const { return given_ ? *given_ : made_; }

 private:
  const kernels::PackedMatrix<T>* given_ = nullptr;
  kernels::PackedMatrix<T> made_;
};

}  // namespace

Tensor LinearCrossEntropy::forward(const Tensor& h, const Tensor& weight, const Tensor& bias) {
  FOVEA_CHECK(weight.shape().rank() == 2, name,
              ": expected a weight of shape (classes, in), found ", weight.shape());
  expect_cols(name, "an input", h, weight.cols(), weight.dtype());
  if (bias.defined()) expect_vector(name, "a bias", bias, weight.rows(), weight.dtype());
  const double row_weight = weight_of_target(name, targets, h.rows(), weight.rows(), options);
  const bool none = h.rows() == 0;
  if (wants[0]) gradients[0] = Tensor::empty(h.shape(), h.dtype());
  if (wants[1]) gradients[1] = (none ? Tensor::zeros : Tensor::empty)(weight.shape(), h.dtype());
  if (wants[2]) gradients[2] = Tensor::zeros(bias.shape(), h.dtype());
  Tensor losses = Tensor::empty({h.rows()}, h.dtype());
  double loss = 0;
  with_real(name, h.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if (!none) {
      const PackedOnce<T> once(packed, weight);
      Blocks<T>{h.view<T>(),
                weight,
                *once,
                data_or_null<T>(bias),
                targets.data<std::int32_t>(),
                static_cast<T>(options.smoothing),
                static_cast<T>(row_weight),
                gradients}
          .run(losses.mutable_data<T>());
    }
    loss = row_weight * kernels::sum(losses.data<T>(), losses.size());
  });
  return Tensor::full({}, loss, h.dtype());
}

std::array<Tensor, 3> LinearCrossEntropy::backward(const Tensor& dy) const {
  const double factor = dy.item();
  return {scaled_by(gradients[0], factor), scaled_by(gradients[1], factor),
          scaled_by(gradients[2], factor)};
}

}  // namespace fovea::op
