/// A conditional random field over the tags of sequences: the tags of a sequence are judged
/// together, by what each place says and by which tag follows which. Lafferty et al. 2001; on top
/// of a network Lample et al. 2016, eqs. 1-3:
///
///   s(y) = a_(y_1) + sum_t P_(t, y_t) + sum_t A_(y_t, y_(t+1)) + b_(y_n)
///   p(y) = exp s(y) / sum over all y' of exp s(y')
///
/// Letters: N rows in all, C tags; P (N, C) emissions, A (C, C) transitions from row to column,
/// a and b (C) what beginning and ending with a tag scores.
#pragma once

#include <vector>

#include "fovea/autograd/apply.h"
#include "fovea/tensor/segments.h"

namespace fovea {

namespace op {

/// The gradients (expected less observed counts) are computed with the loss, while the sums of the
/// forward algorithm are at hand; backward only scales them.
struct Crf {
  static constexpr std::string_view name = "crf";
  Tensor tags;
  Segments segments;
  bool wants_gradient = false;
  std::array<Tensor, 4> gradients = {};
  Tensor forward(const Tensor& emissions, const Tensor& transitions, const Tensor& begin,
                 const Tensor& end);
  std::array<Tensor, 4> backward(const Tensor& dy) const;
};

}  // namespace op

/// What a field learns beside the emissions.
struct CrfWeights {
  Var transitions;  // (C, C): A
  Var begin, end;   // (C): a, b
};

/// - log p(tags), summed over the sequences: emissions (N, C), tags (N) i32. A sequence of no rows
/// counts nothing. Sums are computed in double precision, scaled at each step; scores of one step
/// that differ by more than 700 give a loss that is not finite.
Var crf_loss(const Var& emissions, const CrfWeights& weights, const Tensor& tags,
             const Segments& segments);

/// Which sequences of tags there can be.
struct TagRules {
  std::vector<bool> follows;       // (C, C): whether the column may follow the row
  std::vector<bool> begins, ends;  // (C)
};

/// The tags of the largest s(y) of each sequence: (N) i32. Viterbi 1967. With rules, of those that
/// they allow; that there is none is an Error.
Tensor crf_best(const Tensor& emissions, const CrfWeights& weights, const Segments& segments,
                const TagRules* rules = nullptr);

}  // namespace fovea
