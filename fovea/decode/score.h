/// How finished hypotheses of unequal length compare.
///   s(y) = log p(y) / lp(y) + cp(y)                            Wu et al. 2016, eq. 14
///   lp(y) = ((5 + |y|) / 6)^alpha
///   cp(y) = beta sum_i log min(sum_j a_ij, 1)                  eq. 15
/// a_ij: the attention that token j paid to source row i.
#pragma once

#include <span>
#include <vector>

#include "fovea/tensor/tensor.h"

namespace fovea {

/// log p(y) / lp(y); `length` counts the end.
double normalised(double log_probability, Dim length, double alpha);

/// What each open hypothesis has attended to so far.
class Coverage {
 public:
  explicit Coverage(std::size_t hypotheses) : sums_(hypotheses) {}

  /// One more token of each hypothesis.
  void add(std::span<const Tensor> attention);
  /// From now on hypothesis i continues what was hypothesis from[i].
  void select(std::span<const Dim> from);
  /// The hypotheses of another stand after these from now on.
  void join(Coverage other);
  /// cp of hypothesis i. Rows without attention count as 1e-6.
  double penalty(Dim i, double beta) const;

 private:
  std::vector<std::vector<double>> sums_;  // (hypotheses)(source rows): sum_j a_ij
};

}  // namespace fovea
