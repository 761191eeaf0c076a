#include "fovea/inspect/attention_map.h"

#include <algorithm>

namespace fovea {
namespace {

Dim count_of(const std::vector<std::string>& names) { return static_cast<Dim>(names.size()); }

}  // namespace

void AttentionMap::check() const {
  const Shape expected{count_of(queries), count_of(keys)};
  FOVEA_CHECK(weights.defined() && weights.dtype() == DType::f32 && weights.shape() == expected,
              "attention map '", title, "': ", queries.size(), " queries and ", keys.size(),
              " keys need f32 weights ", expected, ", found ", name_of(weights.dtype()), " ",
              weights.shape());
}

std::vector<std::pair<Dim, Dim>> hard_alignment(const AttentionMap& map, Dim among) {
  map.check();
  const Dim keys = among < 0 ? map.weights.cols() : among;
  std::vector<std::pair<Dim, Dim>> out;
  for (Dim i = 0; i < map.weights.rows(); ++i) {
    Dim best = -1;
    for (Dim j = 0; j < keys; ++j) {
      if (map.weight(i, j) > (best < 0 ? 0 : map.weight(i, best))) best = j;
    }
    if (best >= 0) out.emplace_back(i, best);
  }
  return out;
}

}  // namespace fovea
