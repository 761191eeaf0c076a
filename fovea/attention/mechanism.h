/// One language for the attention of a decoder to its source: a recipe names a score, a reach and
/// an allocation, and may put together what no paper has.
///
/// Letters: Q rows that ask, K rows that are looked at, P pairs, D columns of a value.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/attention/score.h"
#include "fovea/nn/convolution.h"
#include "fovea/nn/pass.h"

namespace fovea {

enum class Score {
  none,            // no attention
  dot,             // q . k: Luong et al. 2015, eq. 8
  scaled_dot,      // q . k / sqrt(D): Vaswani et al. 2017
  general,         // q' W k: Luong et al. 2015, eq. 8
  concat,          // v' tanh(W q + U k): Bahdanau et al. 2015, A.1.2
  location,        // (W q)_s, of the place alone: Luong et al. 2015, eq. 9
  location_aware,  // v' tanh(W q + U k + V f), f convolved from the last weights: Chorowski 2015
};
constexpr std::array<std::string_view, 7> names_of(Score) {
  return {"none", "dot", "scaled-dot", "general", "concat", "location", "location-aware"};
}

/// Which places a row may look at.
enum class ReachKind {
  global,
  local_m,   // around its own place t: Luong et al. 2015, 3.2
  local_p,   // around a place that it predicts, nearer ones weighing more: the same
  monotone,  // around the middle of what the row before it looked at: Chorowski et al. 2015, 2.3
};
constexpr std::array<std::string_view, 4> names_of(ReachKind) {
  return {"global", "local-m", "local-p", "monotone"};
}

enum class Allocation {
  soft,  // the weighted sum
  hard,  // one place, drawn in training and the likeliest afterwards: Xu et al. 2015, 4.1
};
constexpr std::array<std::string_view, 2> names_of(Allocation) { return {"soft", "hard"}; }

struct MechanismConfig {
  Score score = Score::concat;
  ReachKind reach = ReachKind::global;
  Allocation allocate = Allocation::soft;
  Dim window = 10;       // places on either side, for a local reach: the paper's D
  double sharpness = 1;  // weights are softmax(sharpness e): Chorowski et al. 2015, eq. 10
  Dim longest = 100;     // places that the score "location" tells apart
  Dim filters = 10;      // of "location-aware"
  double mixed = 0.5;    // share of rows that mix while "hard" is trained: Xu et al. 2015, 4.1
  Dim filter_width = 15;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("score", score);
    visit("reach", reach);
    visit("allocate", allocate);
    visit("window", window);
    visit("sharpness", sharpness);
    visit("longest", longest);
    visit("mixed", mixed);
    visit("filters", filters);
    visit("filter_width", filter_width);
  }
};

/// What is looked at: computed once for a source.
struct LookedAt {
  Var keys;    // (K, A), as the score reads them
  Var values;  // (K, D)
};

/// Who looks: for each row the keys [begin, begin + length) of its source, and its place among the
/// rows of its target.
struct Askers {
  std::vector<Dim> begin, length, place;
  Segments sequences;  // rows of each target: they share a source
};

/// What came of it.
struct Look {
  Var context;     // (Q, D)
  Var weights;     // (P, 1)
  Pairs pairs;     // those in reach
  Var everywhere;  // (sum of lengths, 1): the weights, 0 out of reach; for the next row's look
  Var log_probability, entropy;  // (Q, 1) each, of hard allocation in training; a row that mixed
                                 // has log_probability 0
  Tensor drawn;                  // (Q) i32: the pair that hard allocation took
};

class Mechanism {
 public:
  Mechanism(Scope s, Dim query_width, Dim key_width, const MechanismConfig& config);

  /// Whether a row's look depends on that of the row before it.
  bool needs_last() const;
  LookedAt prepare(const Var& memory) const;
  /// `last`: `everywhere` of the same askers one place earlier; undefined at the beginning.
  Look operator()(const Var& queries, const LookedAt& at, const Askers& askers, const Var& last,
                  const Pass& pass) const;

  const MechanismConfig& config() const { return config_; }

 private:
  /// The middles of the windows, as numbers; with a gradient for local-p.
  Var predicted(const Var& queries, const Askers& askers) const;
  Pairs reached(const Askers& askers, const Tensor& middles, Dim key_rows) const;
  Var scores(const Var& queries, const LookedAt& at, const Askers& askers, const Pairs& pairs,
             const Var& last) const;

  MechanismConfig config_;
  std::optional<GeneralScore> general_;
  std::optional<AdditiveScore> concat_;
  std::optional<Linear> location_;      // (longest, query width)
  std::optional<Conv1d> convolution_;   // of the last weights
  std::optional<Linear> convolved_;     // (A, filters)
  std::optional<Linear> place_hidden_;  // local-p: W
  std::optional<Linear> place_out_;     // local-p: v
};

}  // namespace fovea
