/// Sequences of ids as models take them: all ids in one row, and where each sequence begins.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/tensor/segments.h"

namespace fovea {

using Ids = std::vector<std::int32_t>;

struct Sequences {
  Tensor ids;  // (N) i32
  Segments segments;
};

/// Anything that is a row of rows of ids: vectors, spans of a corpus.
template <class Rows>
Sequences joined(const Rows& rows) {
  std::vector<Dim> lengths;
  Dim total = 0;
  for (const auto& row : rows) {
    lengths.push_back(static_cast<Dim>(row.size()));
    total += lengths.back();
  }
  Tensor ids = Tensor::empty({total}, DType::i32);
  std::int32_t* out = ids.mutable_data<std::int32_t>();
  for (const auto& row : rows) out = std::copy(row.begin(), row.end(), out);
  return {ids, Segments::of_lengths(lengths)};
}

}  // namespace fovea
