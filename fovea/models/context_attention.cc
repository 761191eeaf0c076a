#include "fovea/models/context_attention.h"

#include "fovea/attention/ordinary.h"

namespace fovea {

Var ContextAttention::operator()(const Var& h, const Segments& segments, const Pass& pass) const {
  const Segments queries = Segments::uniform(segments.count(), 1);
  const Pairs pairs = pairs_in_reach(queries, segments);  // one for each row, in their order
  return attend_pairs(context(map(h)), h, pairs, queries, segments, {.layer = layer}, pass);
}

}  // namespace fovea
