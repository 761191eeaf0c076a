#include "fovea/models/recurrent_steps.h"

#include <algorithm>
#include <numeric>

#include "fovea/attention/cache.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace {

Tensor as_ids(const std::vector<Dim>& numbers) {
  const std::vector<std::int32_t> ids(numbers.begin(), numbers.end());
  return Tensor::from<std::int32_t>({static_cast<Dim>(ids.size())}, ids);
}

/// The weights of each source as a row of equal width, and back: a cache reorders rows.
Tensor padded(const Tensor& everywhere, const std::vector<Dim>& lengths, Dim width) {
  Tensor rows = Tensor::zeros({static_cast<Dim>(lengths.size()), width});
  const float* from = everywhere.data<float>();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::copy_n(from, lengths[i], rows.mutable_view<float>()[static_cast<Dim>(i)]);
    from += lengths[i];
  }
  return rows;
}
Tensor unpadded(const Tensor& rows, const std::vector<Dim>& lengths) {
  Tensor everywhere = Tensor::empty({std::accumulate(lengths.begin(), lengths.end(), Dim(0)), 1});
  float* to = everywhere.mutable_data<float>();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    to = std::copy_n(rows.view<float>()[static_cast<Dim>(i)], lengths[i], to);
  }
  return everywhere;
}

}  // namespace

RecurrentSteps::RecurrentSteps(const RecurrentDecoder& decoder, const Sequences& targets,
                               const Encoded& source, const Pass& pass)
    : decoder_(decoder),
      targets_(targets),
      pass_(pass),
      sources_(sources_of(*decoder.attention, decoder.name, source, pass)),
      before_(places_before(decoder.name, targets.segments.count(), pass)),
      order_(before_.size()),
      states_(decoder.first_states(source, pass)),
      recorder_(pass.probe, targets.segments, sources_.length) {
  for (Dim s = 0; pass.cache && s < targets.segments.count(); ++s) {
    FOVEA_CHECK(targets.segments.length(s) > 0, "recurrent decoder: sequence ", s,
                " was given no token");
  }
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](Dim a, Dim b) {
    return targets.segments.length(a) > targets.segments.length(b);
  });
  for (Var& state : states_) state = gather_rows(state, as_ids(order_));
  take_up();
}

Decoded RecurrentSteps::run() {
  auto active = static_cast<Dim>(order_.size());
  std::vector<Var> logs, entropies;
  for (Dim t = 0; t < targets_.segments.longest(); ++t) {
    Dim still = active;
    while (targets_.segments.length(order_[static_cast<std::size_t>(still - 1)]) <= t) --still;
    shrink(active, still);
    active = still;
    const Look look = step(t, active);
    if (!look.log_probability.defined()) continue;
    logs.push_back(look.log_probability);
    entropies.push_back(look.entropy);
  }
  leave(0, active);
  keep();
  recorder_.finish(decoder_.name);
  const Tensor rows = batch_order();
  Decoded out;
  if (!logs.empty()) {
    out.drawn = {gather_rows(concat_rows(logs), rows), gather_rows(concat_rows(entropies), rows),
                 decoder_.baseline};
  }
  out.rows = gather_rows(concat_rows(rows_), rows);
  return out;
}

Look RecurrentSteps::step(Dim t, Dim active) {
  const RecurrentTranslatorConfig& config = decoder_.config;
  const Var x = dropout(decoder_.tokens(tokens(t, active)), config.dropout, pass_.rng);  // (B, E)
  const Askers asking = askers(t, active);
  const auto look_from = [&](const Var& h) {
    return (*decoder_.attention)(h, sources_.at, asking, everywhere_, pass_);
  };
  Look look;
  Var joined;
  if (config.read == ReadOut::before) {
    look = look_from(decoder_.layers.top(states_));
    states_ = decoder_.layers.step(concat_columns({x, look.context}), states_, pass_);
    joined = decoder_.join(concat_columns({decoder_.layers.top(states_), look.context, x}));
  } else {
    Var in = x;
    if (config.read == ReadOut::feed) {
      if (!fed_.defined()) fed_ = Tensor::zeros({active, config.embedding}, x.dtype());
      in = concat_columns({x, fed_});
    }
    states_ = decoder_.layers.step(in, states_, pass_);
    look = look_from(decoder_.layers.top(states_));
    joined = decoder_.join(concat_columns({decoder_.layers.top(states_), look.context}));
    if (config.read == ReadOut::feed) fed_ = joined;
  }
  everywhere_ = look.everywhere;
  rows_.push_back(joined);
  if (pass_.probe) {
    std::vector<Dim> rows;
    for (Dim k = 0; k < active; ++k) {
      rows.push_back(targets_.segments.begin(static_cast<Dim>(sequence(k))) + t);
    }
    recorder_.add(look, asking, rows);
  }
  return look;
}

Askers RecurrentSteps::askers(Dim t, Dim active) const {
  Askers all{.begin = {}, .length = {}, .place = {}, .sequences = Segments::uniform(active, 1)};
  for (Dim k = 0; k < active; ++k) {
    all.begin.push_back(sources_.begin[sequence(k)]);
    all.length.push_back(sources_.length[sequence(k)]);
    all.place.push_back(before_[sequence(k)] + t);
  }
  return all;
}

Tensor RecurrentSteps::tokens(Dim t, Dim active) const {
  Tensor ids = Tensor::empty({active}, DType::i32);
  for (Dim k = 0; k < active; ++k) {
    const Dim row = targets_.segments.begin(static_cast<Dim>(sequence(k))) + t;
    ids.mutable_data<std::int32_t>()[k] = targets_.ids.data<std::int32_t>()[row];
  }
  return ids;
}

void RecurrentSteps::shrink(Dim from, Dim to) {
  if (from == to) return;
  leave(to, from);
  for (Var& state : states_) state = slice_rows(state, 0, to);
  if (fed_.defined()) fed_ = slice_rows(fed_, 0, to);
  if (everywhere_.defined()) everywhere_ = slice_rows(everywhere_, 0, source_rows(to));
}

Dim RecurrentSteps::source_rows(Dim targets) const {
  Dim rows = 0;
  for (Dim k = 0; k < targets; ++k) rows += sources_.length[sequence(k)];
  return rows;
}

Tensor RecurrentSteps::batch_order() const {
  Tensor ids = Tensor::empty({targets_.segments.rows()}, DType::i32);
  std::int32_t row = 0;
  for (std::size_t t = 0; t < rows_.size(); ++t) {
    for (Dim k = 0; k < rows_[t].rows(); ++k) {
      const Dim at = targets_.segments.begin(static_cast<Dim>(sequence(k))) + static_cast<Dim>(t);
      ids.mutable_data<std::int32_t>()[at] = row++;
    }
  }
  return ids;
}

void RecurrentSteps::take_up() {
  if (!pass_.cache) return;
  const Tensor fed = pass_.cache->state(decoder_.name + ".fed");
  if (fed.defined()) fed_ = gather_rows(fed, as_ids(order_));
  const Tensor weights = pass_.cache->state(decoder_.name + ".weights");
  if (!weights.defined()) return;
  std::vector<Dim> lengths;
  for (const Dim s : order_) lengths.push_back(sources_.length[static_cast<std::size_t>(s)]);
  everywhere_ = unpadded(gather_rows(weights, as_ids(order_)).value(), lengths);
}

void RecurrentSteps::leave(Dim begin, Dim end) {
  if (!pass_.cache || begin == end) return;
  States left;
  for (const Var& state : states_) left.push_back(slice_rows(state, begin, end));
  if (fed_.defined()) left.push_back(slice_rows(fed_, begin, end));
  if (everywhere_.defined()) {
    std::vector<Dim> lengths;
    for (Dim k = begin; k < end; ++k) lengths.push_back(sources_.length[sequence(k)]);
    const Dim longest = *std::max_element(sources_.length.begin(), sources_.length.end());
    left.push_back(
        padded(everywhere_.value().slice(source_rows(begin), source_rows(end)), lengths, longest));
  }
  left_.push_back(std::move(left));
}

void RecurrentSteps::keep() {
  if (left_.empty()) return;
  std::vector<Dim> rank_of(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) {
    rank_of[static_cast<std::size_t>(order_[k])] = static_cast<Dim>(k);
  }
  States all;
  for (std::size_t i = 0; i < left_.back().size(); ++i) {
    std::vector<Var> parts;  // the longest first
    for (auto left = left_.rbegin(); left != left_.rend(); ++left) parts.push_back((*left)[i]);
    all.push_back(gather_rows(concat_rows(parts), as_ids(rank_of)));
  }
  if (everywhere_.defined()) {
    pass_.cache->set_state(decoder_.name + ".weights", all.back().value());
    all.pop_back();
  }
  if (fed_.defined()) {
    pass_.cache->set_state(decoder_.name + ".fed", all.back().value());
    all.pop_back();
  }
  decoder_.keep_states(all, pass_);
  keep_places(decoder_.name, before_, targets_.segments, pass_);
}

}  // namespace fovea
