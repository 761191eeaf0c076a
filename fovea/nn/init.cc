#include "fovea/nn/init.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fovea::init {
namespace {

/// Fills with value(index).
template <class F>
void fill(Tensor& t, F&& value) {
  with_real("init", t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (Dim i = 0; i < t.size(); ++i) {
      t.mutable_data<T>()[i] = static_cast<T>(value(static_cast<std::uint64_t>(i)));
    }
  });
}

struct Fans {
  double in = 1, out = 1;
};

Fans fans(const Shape& shape) {
  FOVEA_CHECK(shape.rank() >= 2, "init: a weight (out, in, ...) expected, found ", shape);
  double kernel = 1;
  for (int i = 2; i < shape.rank(); ++i) kernel *= static_cast<double>(shape[i]);
  return {kernel * static_cast<double>(shape[1]), kernel * static_cast<double>(shape[0])};
}

void fill_uniform(Tensor& t, const Draws& draws, double bound) {
  fill(t, [&](std::uint64_t i) { return bound * (2 * static_cast<double>(draws.uniform(i)) - 1); });
}

}  // namespace

Init constant(double value) {
  return [value](Tensor& t, const Draws&) { fill(t, [value](std::uint64_t) { return value; }); };
}

Init uniform(double bound) {
  return [bound](Tensor& t, const Draws& draws) { fill_uniform(t, draws, bound); };
}

Init normal(double deviation) {
  return [deviation](Tensor& t, const Draws& draws) {
    fill(t, [&](std::uint64_t i) { return deviation * draws.normal(i); });
  };
}

Init truncated_normal(double deviation) {
  return [deviation](Tensor& t, const Draws& draws) {
    std::uint64_t next =
        0;  // a rejected number is skipped, so indices do not line up with elements
    fill(t, [&](std::uint64_t) {
      double drawn = draws.normal(next++);
      while (std::abs(drawn) > 2) drawn = draws.normal(next++);
      return deviation * drawn;
    });
  };
}

Init xavier(double gain) {
  return [gain](Tensor& t, const Draws& draws) {
    const Fans f = fans(t.shape());
    fill_uniform(t, draws, gain * std::sqrt(6 / (f.in + f.out)));
  };
}

Init kaiming() {
  return [](Tensor& t, const Draws& draws) {
    fill_uniform(t, draws, std::sqrt(6 / fans(t.shape()).in));
  };
}

Init lecun() {
  return [](Tensor& t, const Draws& draws) {
    fill_uniform(t, draws, 1 / std::sqrt(fans(t.shape()).in));
  };
}

Init orthogonal(double gain) {
  return [gain](Tensor& t, const Draws& draws) {
    const Dim rows = t.shape().rank() < 2 ? 1 : t.shape()[0];
    const Dim cols = rows == 0 ? 0 : t.size() / rows;
    const Dim count = std::min(rows, cols), length = std::max(rows, cols);
    std::vector<std::vector<double>> basis;  // Gram and Schmidt over the shorter side
    for (Dim i = 0; i < count; ++i) {
      std::vector<double> v(static_cast<std::size_t>(length));
      for (Dim j = 0; j < length; ++j) {
        v[static_cast<std::size_t>(j)] = draws.normal(static_cast<std::uint64_t>(i * length + j));
      }
      for (int pass = 0; pass < 2; ++pass) {  // twice: once leaves what rounding put back
        for (const auto& b : basis) {
          double dot = 0;
          for (std::size_t j = 0; j < v.size(); ++j) dot += b[j] * v[j];
          for (std::size_t j = 0; j < v.size(); ++j) v[j] -= dot * b[j];
        }
      }
      double norm = 0;
      for (double x : v) norm += x * x;
      for (double& x : v) x /= std::sqrt(norm);
      basis.push_back(std::move(v));
    }
    fill(t, [&](std::uint64_t i) {
      const auto row = i / static_cast<std::uint64_t>(cols),
                 col = i % static_cast<std::uint64_t>(cols);
      return gain * (rows <= cols ? basis[row][col] : basis[col][row]);
    });
  };
}

}  // namespace fovea::init
