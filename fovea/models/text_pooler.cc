#include "fovea/models/text_pooler.h"

#include "fovea/attention/probe.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

Tensor first_rows(const Segments& texts) {
  Tensor rows = Tensor::empty({texts.count()}, DType::i32);
  for (Dim t = 0; t < texts.count(); ++t) {
    FOVEA_CHECK(texts.length(t) > 0, "pooling by the first row: text ", t, " has none");
    rows.mutable_data<std::int32_t>()[t] = static_cast<std::int32_t>(texts.begin(t));
  }
  return rows;
}

/// Where the largest of each column stood, the first of equals.
template <class T>
Tensor shares_of(const Tensor& h, const Segments& texts) {
  Tensor shares = Tensor::zeros({h.rows(), 1}, h.dtype());
  const auto rows = h.view<T>();
  for (Dim t = 0; t < texts.count(); ++t) {
    for (Dim c = 0; c < h.cols() && texts.length(t) > 0; ++c) {
      Dim largest = texts.begin(t);
      for (Dim r = texts.begin(t); r < texts.end(t); ++r) {
        if (rows[r][c] > rows[largest][c]) largest = r;
      }
      shares.mutable_data<T>()[largest] += static_cast<T>(1) / static_cast<T>(h.cols());
    }
  }
  return shares;
}

void show_sources(const std::string& layer, const Tensor& h, const Segments& texts, Probe& probe) {
  const Segments queries = Segments::uniform(texts.count(), 1);
  const Tensor shares =
      h.dtype() == DType::f32 ? shares_of<float>(h, texts) : shares_of<double>(h, texts);
  probe.keep(layer, shares, pairs_in_reach(queries, texts), queries, texts);
}

}  // namespace

TextPooler::TextPooler(Scope s, TextPooling pooling, Dim width, Activation activation)
    : layer(s.name()), pooling(pooling) {
  if (pooling == TextPooling::first) {
    first.emplace(s, width, width, LinearConfig{.activation = activation});
  }
  if (pooling == TextPooling::attention) attention.emplace(s, width, width);
}

Var TextPooler::operator()(const Var& h, const Segments& texts, const Pass& pass) const {
  switch (pooling) {
    case TextPooling::first:
      return (*first)(gather_rows(h, first_rows(texts)));
    case TextPooling::first_row:
      return gather_rows(h, first_rows(texts));
    case TextPooling::mean:
      return segment_pool(h, texts, Pooling::mean);
    case TextPooling::max:
      if (pass.probe && pass.probe->wants(layer))
        show_sources(layer, h.value(), texts, *pass.probe);
      return segment_pool(h, texts, Pooling::max);
    case TextPooling::attention:
      return (*attention)(h, texts, pass);
  }
  fail(ErrorKind::internal, "pooling: no such kind");
}

}  // namespace fovea
