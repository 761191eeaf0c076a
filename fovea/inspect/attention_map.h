/// Weights with names on both sides: what every picture draws. inspect/run_record.h makes them from
/// what a probe saw.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fovea/tensor/tensor.h"

namespace fovea {

/// Weights of some queries over some keys.
struct AttentionMap {
  std::string title;
  std::vector<std::string> queries, keys;
  Tensor weights;  // (queries, keys) f32, from 0 to 1

  float weight(Dim query, Dim key) const { return weights.view<float>()[query][key]; }
  /// Throws unless the names fit the weights.
  void check() const;
};

/// For each query the key with the largest weight, the first of equals: (query, key). A query that
/// saw nothing (all weights 0) has none. `among`: of so many keys, the first ones; -1: of all.
std::vector<std::pair<Dim, Dim>> hard_alignment(const AttentionMap& map, Dim among = -1);

}  // namespace fovea
