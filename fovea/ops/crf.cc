#include "fovea/ops/crf.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/threads.h"
#include "fovea/kernels/scratch.h"
#include "fovea/ops/expect.h"
#include "fovea/ops/loss_targets.h"

namespace fovea {
namespace op {
namespace {

constexpr double lowest = -std::numeric_limits<double>::infinity();
constexpr Dim most_blocks = 8;

void expect_field(std::string_view op, const Tensor& emissions, const Tensor& transitions,
                  const Tensor& begin, const Tensor& end, const Segments& segments) {
  FOVEA_CHECK(emissions.shape().rank() == 2 && emissions.rows() == segments.rows(), op,
              ": expected emissions with ", segments.rows(), " rows for ", segments.count(),
              " sequences, found ", emissions.shape());
  const Dim tags = emissions.cols();
  FOVEA_CHECK(
      transitions.shape() == Shape({tags, tags}) && transitions.dtype() == emissions.dtype(), op,
      ": expected transitions of shape ", Shape({tags, tags}), " ", emissions.dtype(), ", found ",
      transitions.shape(), " ", transitions.dtype());
  expect_vector(op, "scores of the beginning", begin, tags, emissions.dtype());
  expect_vector(op, "scores of the end", end, tags, emissions.dtype());
}

void expect_tags(const Tensor& tags, Dim rows, Dim kinds) {
  FOVEA_CHECK(tags.defined() && tags.dtype() == DType::i32 && tags.shape() == Shape({rows}),
              "crf: expected tags of shape ", Shape({rows}), " i32, found ", tags.shape(), " ",
              tags.dtype());
  for (Dim i = 0; i < rows; ++i) {
    const Dim tag = tags.data<std::int32_t>()[i];
    FOVEA_CHECK(tag >= 0 && tag < kinds, "crf: tag ", tag, " at position ", i, " is not one of ",
                kinds);
  }
}

/// y = exp(x - max x); gives max x.
template <class T>
double shifted_exp(const T* x, Dim count, double* y) {
  double largest = lowest;
  for (Dim i = 0; i < count; ++i) largest = std::max<double>(largest, x[i]);
  for (Dim i = 0; i < count; ++i) y[i] = std::exp(static_cast<double>(x[i]) - largest);
  return largest;
}

/// y += factor x.
void add_scaled(double factor, const double* x, Dim count, double* y) {
  for (Dim i = 0; i < count; ++i) y[i] += factor * x[i];
}

/// The scores that all sequences share, as they are and as factors: exp of what they are below
/// their largest.
template <class T>
struct Field {
  Dim tags;
  Rows<const T> transitions;
  const T *begin, *end;
  kernels::Scratch<double> memory;
  double *follows, *preceded, *begins, *ends;  // (C, C), its transpose, (C), (C)
  double follow_shift, begin_shift, end_shift;

  Field(const Tensor& a, const Tensor& from, const Tensor& to)
      : tags(a.rows()),
        transitions(a.view<T>()),
        begin(from.data<T>()),
        end(to.data<T>()),
        memory(2 * tags * (tags + 1)),
        follows(memory.data()),
        preceded(follows + tags * tags),
        begins(preceded + tags * tags),
        ends(begins + tags),
        follow_shift(shifted_exp(transitions.data, tags * tags, follows)),
        begin_shift(shifted_exp(begin, tags, begins)),
        end_shift(shifted_exp(end, tags, ends)) {
    for (Dim i = 0; i < tags; ++i) {
      for (Dim j = 0; j < tags; ++j) preceded[j * tags + i] = follows[i * tags + j];
    }
  }

  /// s(y)
  double score(Rows<const T> emissions, const std::int32_t* y) const {
    double sum = static_cast<double>(begin[y[0]]) + end[y[emissions.rows - 1]];
    for (Dim t = 0; t < emissions.rows; ++t) {
      sum += emissions[t][y[t]];
      if (t > 0) sum += transitions[y[t - 1]][y[t]];
    }
    return sum;
  }
};

/// What a block of sequences adds up; blocks are added in their order.
struct Sums {
  double loss = 0;
  double *follows, *begins, *ends;  // of pairs without the factor of their transition; of the ends

  Sums(double* memory, Dim tags)
      : follows(memory), begins(follows + tags * tags), ends(begins + tags) {
    std::fill_n(memory, size(tags), 0.0);
  }
  static Dim size(Dim tags) { return tags * (tags + 2); }
};

/// The forward and the backward algorithm over one sequence. Each step's sums are divided by their
/// total z_t (Rabiner 1989, V.A), so that nothing overflows:
///
///   alpha_t = (alpha_(t-1) exp A) exp P_t / z_t,   log of all = sum_t log z_t + log(alpha_n exp b)
///   beta_(t-1) = exp A g_t,  g_t = exp P_t beta_t / z_t
///   p(y_t = i) = alpha_ti beta_ti,  p(y_(t-1) = i, y_t = j) = alpha_(t-1)i exp A_ij g_tj
template <class T>
class Walk {
 public:
  Walk(const Field<T>& field, Rows<const T> emissions)
      : field_(field),
        emissions_(emissions),
        rows_(emissions.rows),
        tags_(field.tags),
        memory_(rows_ * (2 * tags_ + 1) + 2 * tags_),
        factors_(memory_.data()),
        alpha_(factors_ + rows_ * tags_),
        totals_(alpha_ + rows_ * tags_),
        beta_(totals_ + rows_),
        g_(beta_ + tags_) {}

  /// log of the sum over all y of exp s(y).
  double forward() {
    double log_sum = field_.begin_shift + field_.end_shift +
                     static_cast<double>(rows_ - 1) * field_.follow_shift;
    for (Dim t = 0; t < rows_; ++t) {
      double *alpha = alpha_ + t * tags_, *factors = factors_ + t * tags_;
      log_sum += shifted_exp(emissions_[t], tags_, factors);
      if (t == 0) {
        std::copy_n(field_.begins, tags_, alpha);
      } else {
        std::fill_n(alpha, tags_, 0.0);
        for (Dim i = 0; i < tags_; ++i) {
          add_scaled(alpha[i - tags_], field_.follows + i * tags_, tags_, alpha);
        }
      }
      double total = 0;
      for (Dim j = 0; j < tags_; ++j) total += alpha[j] *= factors[j];
      for (Dim j = 0; j < tags_; ++j) alpha[j] /= total;
      log_sum += std::log(totals_[t] = total);
    }
    const double* last = alpha_ + (rows_ - 1) * tags_;
    at_end_ = 0;
    for (Dim j = 0; j < tags_; ++j) at_end_ += last[j] * field_.ends[j];
    return log_sum + std::log(at_end_);
  }

  /// The probabilities of tags go to `gradient`, those of pairs and of both ends to `sums`.
  void backward(Rows<T> gradient, Sums& sums) {
    for (Dim j = 0; j < tags_; ++j) beta_[j] = field_.ends[j] / at_end_;
    for (Dim t = rows_ - 1; t >= 0; --t) {
      const double *alpha = alpha_ + t * tags_, *factors = factors_ + t * tags_;
      for (Dim j = 0; j < tags_; ++j) {
        const double p = alpha[j] * beta_[j];
        gradient[t][j] = static_cast<T>(p);
        if (t == 0) sums.begins[j] += p;
        if (t == rows_ - 1) sums.ends[j] += p;
      }
      if (t == 0) return;
      for (Dim j = 0; j < tags_; ++j) g_[j] = factors[j] * beta_[j] / totals_[t];
      std::fill_n(beta_, tags_, 0.0);
      for (Dim j = 0; j < tags_; ++j) add_scaled(g_[j], field_.preceded + j * tags_, tags_, beta_);
      for (Dim i = 0; i < tags_; ++i) {
        add_scaled(alpha[i - tags_], g_, tags_, sums.follows + i * tags_);
      }
    }
  }

 private:
  const Field<T>& field_;
  Rows<const T> emissions_;
  Dim rows_, tags_;
  kernels::Scratch<double> memory_;
  double *factors_, *alpha_, *totals_, *beta_, *g_;
  double at_end_ = 0;
};

/// Takes off the observed tags from the expected ones.
template <class T>
void subtract_observed(const Tensor& tags, const Segments& segments, std::array<Tensor, 4>& out) {
  const std::int32_t* y = tags.data<std::int32_t>();
  for (Dim s = 0; s < segments.count(); ++s) {
    if (segments.length(s) == 0) continue;
    for (Dim t = segments.begin(s); t < segments.end(s); ++t) {
      out[0].mutable_view<T>()[t][y[t]] -= 1;
      if (t > segments.begin(s)) out[1].mutable_view<T>()[y[t - 1]][y[t]] -= 1;
    }
    out[2].mutable_data<T>()[y[segments.begin(s)]] -= 1;
    out[3].mutable_data<T>()[y[segments.end(s) - 1]] -= 1;
  }
}

/// The sums of all blocks as gradients of the shared scores.
template <class T>
void add_up(const Field<T>& field, std::span<const Sums> blocks, std::array<Tensor, 4>& out) {
  const auto total = [&](Tensor& to, auto member, const double* factors) {
    T* at = to.mutable_data<T>();
    for (Dim i = 0; i < to.size(); ++i) {
      double sum = 0;
      for (const Sums& block : blocks) sum += (block.*member)[i];
      at[i] = static_cast<T>(factors ? sum * factors[i] : sum);
    }
  };
  total(out[1], &Sums::follows, field.follows);
  total(out[2], &Sums::begins, nullptr);
  total(out[3], &Sums::ends, nullptr);
}

}  // namespace

Tensor Crf::forward(const Tensor& emissions, const Tensor& transitions, const Tensor& begin,
                    const Tensor& end) {
  expect_field(name, emissions, transitions, begin, end, segments);
  expect_tags(tags, emissions.rows(), emissions.cols());
  const Dim count = segments.count(), blocks = std::min(count, most_blocks);
  const Dim kinds = emissions.cols();
  if (wants_gradient) {
    const std::array<const Tensor*, 4> inputs = {&emissions, &transitions, &begin, &end};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      gradients[i] = Tensor::empty(inputs[i]->shape(), emissions.dtype());
    }
  }
  double loss = 0;
  with_real(name, emissions.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Field<T> field(transitions, begin, end);
    const kernels::Scratch<double> memory(blocks * Sums::size(kinds));
    ArenaVector<Sums> sums;
    for (Dim b = 0; b < blocks; ++b) sums.emplace_back(&memory[b * Sums::size(kinds)], kinds);
    parallel_tasks(blocks, [&](Dim b) {
      Sums& block = sums[static_cast<std::size_t>(b)];
      for (Dim s = count * b / blocks; s < count * (b + 1) / blocks; ++s) {
        const Dim from = segments.begin(s), to = segments.end(s);
        if (from == to) continue;
        const Rows<const T> rows = emissions.view<T>().range(from, to);
        Walk<T> walk(field, rows);
        block.loss += walk.forward() - field.score(rows, tags.data<std::int32_t>() + from);
        if (!wants_gradient) continue;
        walk.backward(gradients[0].mutable_view<T>().range(from, to), block);
      }
    });
    for (const Sums& block : sums) loss += block.loss;
    if (!wants_gradient) return;
    add_up<T>(field, sums, gradients);
    subtract_observed<T>(tags, segments, gradients);
  });
  return Tensor::full({}, loss, emissions.dtype());
}

std::array<Tensor, 4> Crf::backward(const Tensor& dy) const {
  std::array<Tensor, 4> all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = scaled_by(gradients[i], dy.item());
  return all;
}

namespace {

/// Scores as Viterbi's algorithm adds them: what the rules forbid is -inf.
struct Ruled {
  Dim tags;
  std::vector<double> follows, begins, ends;

  template <class T>
  static std::vector<double> of(std::span<const T> scores, const std::vector<bool>* allowed) {
    std::vector<double> ruled(scores.begin(), scores.end());
    FOVEA_CHECK(!allowed || allowed->size() == ruled.size(), "crf: rules for ",
                allowed ? allowed->size() : 0, " tags or pairs of them, scores for ", ruled.size());
    for (std::size_t i = 0; allowed && i < ruled.size(); ++i) {
      if (!(*allowed)[i]) ruled[i] = lowest;
    }
    return ruled;
  }
};

/// best_tj = P_tj + max over i of (best_(t-1)i + A_ij), and from which i it came.
template <class T>
void best_path(const Ruled& scores, Rows<const T> emissions, std::int32_t* path) {
  const Dim tags = scores.tags, rows = emissions.rows;
  const kernels::Scratch<double> memory(2 * tags);
  const kernels::Scratch<std::int32_t> from(rows * tags);
  double *best = memory.data(), *next = best + tags;
  for (Dim j = 0; j < tags; ++j) best[j] = scores.begins[static_cast<std::size_t>(j)];
  for (Dim t = 0; t < rows; ++t) {
    std::int32_t* source = &from[t * tags];
    if (t > 0) {
      std::fill_n(next, tags, lowest);
      std::fill_n(source, tags, 0);
      for (Dim i = 0; i < tags; ++i) {
        const double* follows = scores.follows.data() + i * tags;
        for (Dim j = 0; j < tags; ++j) {
          const double score = best[i] + follows[j];
          source[j] = score > next[j] ? static_cast<std::int32_t>(i) : source[j];
          next[j] = score > next[j] ? score : next[j];
        }
      }
      std::swap(best, next);
    }
    for (Dim j = 0; j < tags; ++j) best[j] += emissions[t][j];
  }
  double largest = lowest;
  std::int32_t tag = -1;
  for (Dim j = 0; j < tags; ++j) {
    const double score = best[j] + scores.ends[static_cast<std::size_t>(j)];
    if (score > largest) {
      largest = score;
      tag = static_cast<std::int32_t>(j);
    }
  }
  FOVEA_CHECK(tag >= 0, "crf: the rules allow no sequence of ", rows,
              " tags, or scores are not numbers");
  for (Dim t = rows - 1; t > 0; --t) {
    path[t] = tag;
    tag = from[t * tags + tag];
  }
  path[0] = tag;
}

}  // namespace
}  // namespace op

Var crf_loss(const Var& emissions, const CrfWeights& weights, const Tensor& tags,
             const Segments& segments) {
  const bool wanted =
      recording() && (emissions.needs_gradient() || weights.transitions.needs_gradient() ||
                      weights.begin.needs_gradient() || weights.end.needs_gradient());
  return apply(op::Crf{tags, segments, wanted}, emissions, weights.transitions, weights.begin,
               weights.end);
}

Tensor crf_best(const Tensor& emissions, const CrfWeights& weights, const Segments& segments,
                const TagRules* rules) {
  op::expect_field("crf", emissions, weights.transitions.value(), weights.begin.value(),
                   weights.end.value(), segments);
  Tensor tags = Tensor::empty({emissions.rows()}, DType::i32);
  with_real("crf", emissions.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const op::Ruled scores = {
        .tags = emissions.cols(),
        .follows =
            op::Ruled::of(weights.transitions.value().span<T>(), rules ? &rules->follows : nullptr),
        .begins = op::Ruled::of(weights.begin.value().span<T>(), rules ? &rules->begins : nullptr),
        .ends = op::Ruled::of(weights.end.value().span<T>(), rules ? &rules->ends : nullptr)};
    std::int32_t* out = tags.mutable_data<std::int32_t>();
    parallel_tasks(segments.count(), [&](Dim s) {
      const Dim from = segments.begin(s), to = segments.end(s);
      if (from == to) return;
      op::best_path<T>(scores, emissions.view<T>().range(from, to), out + from);
    });
  });
  return tags;
}

}  // namespace fovea
