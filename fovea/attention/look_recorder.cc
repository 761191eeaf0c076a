#include "fovea/attention/look_recorder.h"

namespace fovea {

LookRecorder::LookRecorder(Probe* probe, Segments targets, std::vector<Dim> lengths)
    : probe_(probe), targets_(std::move(targets)), sources_(Segments::of_lengths(lengths)) {
  if (probe_) weights_.resize(static_cast<std::size_t>(targets_.rows()));
}

void LookRecorder::add(const Look& look, const Askers& askers, std::span<const Dim> rows) {
  if (!probe_) return;
  const Tensor weights = look.weights.value().to(DType::f64);
  const auto place = [&](Dim pair, std::size_t i) {
    return look.pairs.key.data<std::int32_t>()[pair] - askers.begin[i];
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<Weight>& row = weights_[static_cast<std::size_t>(rows[i])];
    const Segments& pairs = look.pairs.of_query;
    for (Dim p = pairs.begin(static_cast<Dim>(i)); p < pairs.end(static_cast<Dim>(i)); ++p) {
      row.push_back({place(p, i), weights.data<double>()[p]});
    }
    if (!look.drawn.defined()) continue;
    drawn_.resize(weights_.size());
    drawn_[static_cast<std::size_t>(rows[i])] = {{place(look.drawn.data<std::int32_t>()[i], i), 1}};
  }
}

void LookRecorder::finish(const std::string& layer) const {
  if (!probe_) return;
  keep(layer, weights_);
  if (!drawn_.empty()) keep(drawn_name(layer), drawn_);
}

void LookRecorder::keep(const std::string& layer,
                        const std::vector<std::vector<Weight>>& rows) const {
  if (!probe_->wants(layer)) return;
  std::vector<Dim> counts, of_sequence(static_cast<std::size_t>(targets_.count()), 0);
  std::vector<std::int32_t> query, key;
  std::vector<float> weights;
  for (Dim s = 0; s < targets_.count(); ++s) {
    for (Dim r = targets_.begin(s); r < targets_.end(s); ++r) {
      const std::vector<Weight>& row = rows[static_cast<std::size_t>(r)];
      counts.push_back(static_cast<Dim>(row.size()));
      of_sequence[static_cast<std::size_t>(s)] += counts.back();
      for (const Weight& one : row) {
        query.push_back(static_cast<std::int32_t>(r));
        key.push_back(static_cast<std::int32_t>(sources_.begin(s) + one.place));
        weights.push_back(static_cast<float>(one.weight));
      }
    }
  }
  const auto pairs = static_cast<Dim>(query.size());
  probe_->keep(layer, Tensor::from<float>({pairs, 1}, weights),
               {.query = Tensor::from<std::int32_t>({pairs}, query),
                .key = Tensor::from<std::int32_t>({pairs}, key),
                .distance = {},
                .of_query = Segments::of_lengths(counts),
                .of_sequence = Segments::of_lengths(of_sequence),
                .key_rows = sources_.rows()},
               targets_, sources_);
}

}  // namespace fovea
