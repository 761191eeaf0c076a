#include "fovea/models/aligned_pair.h"

#include <cmath>

#include "fovea/attention/ordinary.h"
#include "fovea/models/entailment.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/norm.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

constexpr double first_scale = 10;  // of a cosine: equal words take nearly all of the weight

Var absolute(const Var& x) { return add(relu(x), relu(scale(x, -1))); }

}  // namespace

AlignedPair::AlignedPair(Scope s, const TextClassifierConfig& config)
    : dropout_(config.dropout),
      vectors_(s / "vectors", config.vocabulary, config.width),
      weight_(s.param("weight", {config.width},
                      init::constant(std::sqrt(first_scale / static_cast<double>(config.width))))),
      compare_(s / "compare", 2 * config.width, config.hidden, {.activation = Activation::relu}),
      join_(s / "join", 4 * config.hidden, config.hidden, {.activation = Activation::relu}),
      out_(s / "out", config.hidden, config.classes) {}

AlignedPair::Side AlignedPair::side(const Sequences& texts) const {
  const Var words = vectors_(texts.ids);
  // rms_norm leaves a length of sqrt(W), which the weight makes up for.
  return {words, rms_norm(words, weight_, 1e-8), texts.segments};
}

Var AlignedPair::compared(const Side& own, const Side& other, const char* layer,
                          const Pass& pass) const {
  const Pairs pairs = pairs_in_reach(own.texts, other.texts);
  const Var like = attend_pairs(pair_dot(own.keys, other.keys, pairs, 1), other.words, pairs,
                                own.texts, other.texts, {.layer = layer}, pass);  // (N, W)
  const Var facts = concat_columns({absolute(sub(own.words, like)), mul(own.words, like)});
  const Var judged = compare_(dropout(facts, dropout_, pass.rng));  // (N, H)
  return concat_columns({segment_pool(judged, own.texts, Pooling::mean),
                         segment_pool(judged, own.texts, Pooling::max)});
}

Var AlignedPair::logits(const TextBatch& batch, const Pass& pass) const {
  const Side first = side(premises_of(batch)), second = side(batch.second);
  const Var both = concat_columns({compared(first, second, "first", pass),
                                   compared(second, first, "second", pass)});  // (B, 4 H)
  const Var joined = join_(dropout(both, dropout_, pass.rng));
  return out_(dropout(joined, dropout_, pass.rng));
}

}  // namespace fovea
