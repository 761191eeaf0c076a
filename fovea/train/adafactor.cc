#include "fovea/train/adafactor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"

namespace fovea {
namespace {

/// The rows of a gradient that are not zero; of a whole gradient, all rows. Sums over them have the
/// same bits either way, for what is left out would add zeros.
template <class T>
struct UsedRows {
  ArenaVector<Dim> index;
  ArenaVector<const T*> data;
  Dim cols = 0;

  UsedRows(const Gradient& gradient, const Tensor& whole, Rows<const T> shape) : cols(shape.cols) {
    const bool by_rows = gradient.is_by_rows();
    const Dim count = by_rows ? gradient.ids().size() : shape.rows;
    const T* from = by_rows ? gradient.rows().data<T>() : whole.data<T>();
    for (Dim k = 0; k < count; ++k) {
      index.push_back(by_rows ? gradient.ids().data<std::int32_t>()[k] : k);
      data.push_back(from + k * cols);
    }
  }
  Dim count() const { return static_cast<Dim>(index.size()); }
};

/// The sum over rows of f(row), which is worked out in parallel and added up in order.
template <class F>
double sum_rows(Dim rows, Dim cols, F&& f) {
  ArenaVector<double> sums(static_cast<std::size_t>(rows));
  parallel_for(rows, kernels::row_grain(cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) sums[static_cast<std::size_t>(r)] = f(r);
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

template <class T>
double root_mean_square(Rows<const T> x) {
  const double sum = sum_rows(x.rows, x.cols, [&](Dim r) {
    return std::inner_product(x[r], x[r] + x.cols, x[r], 0.0, std::plus<>(),
                              [](T a, T b) { return double{a} * b; });
  });
  return std::sqrt(sum / static_cast<double>(std::max<Dim>(x.size(), 1)));
}

/// One step of one parameter; sums are in double precision, the states in the parameter's.
template <class T>
class Update {
 public:
  Update(const AdafactorConfig& config, Dim step, double learning_rate, Rows<T> weight)
      : config_(config),
        beta2_(1 - std::pow(static_cast<double>(step), -config.decay_exponent)),
        alpha_(std::max(config.eps_weight, root_mean_square<T>(weight)) * learning_rate),
        weight_(weight) {}

  void matrix(const UsedRows<T>& g, T* row_sums, T* column_sums) {
    for (Dim r = 0; r < weight_.rows; ++r) decay(row_sums[r], weight_.cols);
    parallel_for(g.count(), kernels::row_grain(g.cols), [&](Dim begin, Dim end) {
      for (Dim k = begin; k < end; ++k) {
        double sum = 0;
        for (Dim c = 0; c < g.cols; ++c) sum += double{g.data[k][c]} * g.data[k][c];
        row_sums[g.index[k]] += static_cast<T>((1 - beta2_) * sum);
      }
    });
    parallel_for(g.cols, kernels::row_grain(g.count()), [&](Dim begin, Dim end) {
      ArenaVector<double> sums(static_cast<std::size_t>(end - begin));
      for (const T* row : g.data) {
        for (Dim c = begin; c < end; ++c) sums[c - begin] += double{row[c]} * row[c];
      }
      for (Dim c = begin; c < end; ++c) {
        decay(column_sums[c], weight_.rows);
        column_sums[c] += static_cast<T>((1 - beta2_) * sums[c - begin]);
      }
    });
    const double total = std::accumulate(row_sums, row_sums + weight_.rows, 0.0);
    apply(g, [=, &g](Dim k, Dim c) {  // u = g / sqrt(v), v = row sum * column sum / total
      return g.data[k][c] * std::sqrt(total / (double{row_sums[g.index[k]]} * column_sums[c]));
    });
  }

  void vector(const UsedRows<T>& g, T* squares) {
    for (Dim c = 0; c < g.cols; ++c) {
      decay(squares[c], 1);
      squares[c] += static_cast<T>((1 - beta2_) * (double{g.data[0][c]} * g.data[0][c]));
    }
    apply(g, [=, &g](Dim, Dim c) { return g.data[0][c] / std::sqrt(double{squares[c]}); });
  }

 private:
  /// What a sum of `count` squares becomes where the gradient is zero.
  void decay(T& sum, Dim count) const {
    const double floor = static_cast<double>(count) * config_.eps_gradient;
    sum = static_cast<T>(beta2_ * sum + (1 - beta2_) * floor);
  }

  /// w -= alpha u / max(1, RMS(u) / d)
  template <class U>
  void apply(const UsedRows<T>& g, U&& u) {
    const double sum = sum_rows(g.count(), g.cols, [&](Dim k) {
      double squares = 0;
      for (Dim c = 0; c < g.cols; ++c) squares += u(k, c) * u(k, c);
      return squares;
    });
    const double length = std::sqrt(sum / static_cast<double>(std::max<Dim>(weight_.size(), 1)));
    const double rate = alpha_ / std::max(1.0, length / config_.clip_threshold);
    parallel_for(g.count(), kernels::row_grain(g.cols), [&](Dim begin, Dim end) {
      for (Dim k = begin; k < end; ++k) {
        T* w = weight_[g.index[k]];
        for (Dim c = 0; c < g.cols; ++c) w[c] -= static_cast<T>(rate * u(k, c));
      }
    });
  }

  const AdafactorConfig& config_;
  double beta2_, alpha_;
  Rows<T> weight_;
};

}  // namespace

Adafactor::Adafactor(const TrainedParams& params, AdafactorConfig config)
    : params_(&params.params()), config_(config) {
  for (const Parameter& p : params.all()) {
    Owner owner{p.name, p.var, {}, {}, {}};
    const Shape& shape = p.var.shape();
    if (shape.rank() >= 2) {
      owner.row_sums = Tensor::zeros({shape[0]}, p.var.dtype());
      owner.column_sums = Tensor::zeros({shape.size() / std::max<Dim>(shape[0], 1)}, p.var.dtype());
    } else {
      owner.squares = Tensor::zeros(shape, p.var.dtype());
    }
    owners_.push_back(std::move(owner));
  }
  steps_ = Tensor::zeros({static_cast<Dim>(owners_.size())}, DType::i64);
}

std::vector<NamedTensor> Adafactor::states() const {
  std::vector<NamedTensor> all = {{"steps", steps_}};
  for (const Owner& owner : owners_) {
    if (owner.squares.defined()) {
      all.push_back({owner.name + ".squares", owner.squares});
    } else {
      all.push_back({owner.name + ".row_sums", owner.row_sums});
      all.push_back({owner.name + ".column_sums", owner.column_sums});
    }
  }
  return all;
}

void Adafactor::step(const Gradients& gradients, double learning_rate) {
  params_->unpack();
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    Owner& owner = owners_[i];
    const Gradient* found = gradients.find(owner.var);
    if (!found || !found->defined()) continue;
    Gradient gradient = *found;
    gradient.make_compact();
    if (gradient.is_by_rows() && owner.var.shape().rank() != 2) gradient = gradient.dense();
    const Dim step = ++steps_.mutable_data<Dim>()[i];
    with_real("adafactor", owner.var.dtype(), [&](auto zero) {
      using T = decltype(zero);
      const bool is_matrix = !owner.squares.defined();
      const Dim rows = is_matrix ? owner.row_sums.size() : 1;
      const Rows<T> weight = rows_of(owner.var.mutable_value().mutable_data<T>(), rows,
                                     is_matrix ? owner.column_sums.size() : owner.squares.size());
      const Tensor whole = gradient.is_by_rows() ? Tensor() : gradient.dense();
      const UsedRows<T> used(gradient, whole, weight);
      Update<T> update(config_, step, learning_rate, weight);
      if (is_matrix) {
        update.matrix(used, owner.row_sums.mutable_data<T>(), owner.column_sums.mutable_data<T>());
      } else {
        update.vector(used, owner.squares.mutable_data<T>());
      }
    });
  }
}

}  // namespace fovea
