#include "fovea/train/clip.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"

namespace fovea {
namespace {

constexpr Dim kBlock = 4096;  // numbers that are summed one after the other

/// Some numbers of one gradient, at most kBlock.
struct Block {
  const Tensor* from;
  Dim begin, end;
  double sum = 0;
};

template <class T>
double sum_of_squares(const T* x, Dim count) {
  double sums[8] = {};  // side by side, so that they need not wait for one another
  Dim i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int lane = 0; lane < 8; ++lane) {
      const auto v = static_cast<double>(x[i + lane]);
      sums[lane] += v * v;
    }
  }
  for (; i < count; ++i) sums[0] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

}  // namespace

double global_norm(const Gradients& gradients, const TrainedParams& params) {
  std::vector<Tensor> parts;
  for (const Parameter& p : params.all()) {
    const Gradient* found = gradients.find(p.var);
    if (!found || !found->defined()) continue;
    Gradient gradient = *found;
    gradient.make_compact();  // rows of the same id are one row
    parts.push_back(gradient.is_by_rows() ? gradient.rows() : gradient.dense());
  }
  std::vector<Block> blocks;
  for (const Tensor& part : parts) {
    for (Dim at = 0; at < part.size(); at += kBlock) {
      blocks.push_back({&part, at, std::min(at + kBlock, part.size())});
    }
  }
  parallel_for(static_cast<Dim>(blocks.size()), 4, [&](Dim begin, Dim end) {
    for (Dim b = begin; b < end; ++b) {
      Block& block = blocks[static_cast<std::size_t>(b)];
      with_real("global_norm", block.from->dtype(), [&](auto zero) {
        const auto* x = block.from->data<decltype(zero)>();
        block.sum = sum_of_squares(x + block.begin, block.end - block.begin);
      });
    }
  });
  double sum = 0;
  for (const Block& block : blocks) sum += block.sum;
  return std::sqrt(sum);
}

double clip_norm(Gradients& gradients, const TrainedParams& params, double max_norm) {
  FOVEA_CHECK(max_norm > 0, "clip_norm: expected a norm above 0, found ", max_norm);
  const double norm = global_norm(gradients, params);
  if (!std::isfinite(norm) || norm <= max_norm) return norm;
  for (const Parameter& p : params.all()) {
    if (Gradient* gradient = gradients.find(p.var)) gradient->scale(max_norm / norm);
  }
  return norm;
}

}  // namespace fovea
