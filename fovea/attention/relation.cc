#include "fovea/attention/relation.h"

#include "fovea/attention/score.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace {

/// The table side by side for each head, (2R+1, H*D): the keys or values of pairs_by_distance.
Var for_heads(const Var& table, Dim heads) {
  return concat_columns(std::vector<Var>(static_cast<std::size_t>(heads), table));
}

}  // namespace

Var relation_score(const Var& q, const Var& k, const Var& key_relation, const Pairs& pairs,
                   Dim heads) {
  const Pairs by_distance = pairs_by_distance(pairs, key_relation.rows() / 2);
  return add(scaled_dot_score(q, k, pairs, heads),
             scaled_dot_score(q, for_heads(key_relation, heads), by_distance, heads));
}

Var relation_read(const Var& w, const Var& v, const Var& value_relation, const Pairs& pairs) {
  const Pairs by_distance = pairs_by_distance(pairs, value_relation.rows() / 2);
  return add(pair_read(w, v, pairs),
             pair_read(w, for_heads(value_relation, w.cols()), by_distance));
}

}  // namespace fovea
