#include "fovea/nn/ngram_embedding.h"

#include "fovea/base/hash.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"

namespace fovea {
namespace {

/// The window of n ids around each row, as a number below `buckets`.
Tensor windows(const Sequences& rows, Dim n, Dim buckets) {
  Tensor out = Tensor::empty({rows.ids.size()}, DType::i32);
  const std::int32_t* ids = rows.ids.data<std::int32_t>();
  for (Dim s = 0; s < rows.segments.count(); ++s) {
    const Dim begin = rows.segments.begin(s), end = rows.segments.end(s);
    for (Dim r = begin; r < end; ++r) {
      auto hash = static_cast<std::uint64_t>(n);
      for (Dim i = r - n / 2; i < r - n / 2 + n; ++i) {
        hash = hashed(hash, i < begin || i >= end ? -1 : ids[i]);
      }
      out.mutable_data<std::int32_t>()[r] =
          static_cast<std::int32_t>(hash % static_cast<std::uint64_t>(buckets));
    }
  }
  return out;
}

}  // namespace

NgramEmbedding::NgramEmbedding(Scope s, std::vector<Dim> of, Dim buckets, Dim width,
                               const EmbeddingConfig& config)
    : orders(std::move(of)) {
  for (const Dim n : orders) {
    FOVEA_CHECK(n >= 2 && buckets >= 1, s.name(), ": runs of ", n, " ids in ", buckets, " buckets");
    tables.emplace_back(s / n, buckets, width, config);
  }
}

Var NgramEmbedding::operator()(const Sequences& rows, double drop, Rng* rng) const {
  Var sum;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    Var vectors = tables[i](windows(rows, orders[i], tables[i].weight.rows()));
    if (rng && drop > 0) {
      const Var kept = Tensor::full({vectors.rows(), 1}, 1, vectors.dtype());
      vectors = mul_column(vectors, dropout(kept, drop, rng));
    }
    sum = sum.defined() ? add(sum, vectors) : vectors;
  }
  return sum;
}

}  // namespace fovea
