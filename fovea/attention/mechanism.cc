#include "fovea/attention/mechanism.h"

#include <algorithm>
#include <cmath>

#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

const MechanismConfig& checked(const MechanismConfig& c, Dim query_width, Dim key_width) {
  FOVEA_CHECK(c.score != Score::none, ErrorKind::bad_setting,
              "attention.score = \"none\": there is nothing to look with");
  FOVEA_CHECK((c.score != Score::dot && c.score != Score::scaled_dot) || query_width == key_width,
              ErrorKind::bad_setting,
              "attention.score: a dot product needs states of the decoder as wide as rows of the ",
              "encoder, found ", query_width, " and ", key_width,
              "; take \"general\", or an encoder that reads one way (model.bidirectional = false)");
  FOVEA_CHECK(
      c.allocate == Allocation::soft || c.reach != ReachKind::local_p, ErrorKind::bad_setting,
      "attention.allocate = \"hard\": with reach = \"local-p\" the weights do not add up to ",
      "1, so nothing can be drawn from them; take \"local-m\" or \"global\"");
  FOVEA_CHECK(c.score != Score::location || c.longest >= 1, ErrorKind::bad_setting,
              "attention.longest: ", c.longest, " places; \"location\" needs at least one");
  FOVEA_CHECK(c.window >= 0, ErrorKind::bad_setting, "attention.window: ", c.window, " places");
  FOVEA_CHECK(c.score != Score::location_aware || (c.filters >= 1 && c.filter_width >= 1),
              ErrorKind::bad_setting, "attention.filters: ", c.filters, " of ", c.filter_width,
              " places");
  return c;
}

/// Where the keys of each asker begin if all are laid one after the other.
Segments laid_out(const Askers& askers) { return Segments::of_lengths(askers.length); }

/// value(i) for each asker, as a column.
template <class Value>
Tensor column(std::size_t rows, DType dtype, const Value& value) {
  std::vector<double> numbers(rows);
  for (std::size_t i = 0; i < rows; ++i) numbers[i] = value(i);
  return Tensor::from<double>({static_cast<Dim>(rows), 1}, numbers).to(dtype);
}

/// The first place at which the weights of a source reach half of their sum.
Dim median(const Tensor& everywhere, Dim begin, Dim length) {
  const Tensor weights = everywhere.slice(begin, begin + length).to(DType::f64);
  double sum = 0, half = 0;
  for (const double w : weights.span<double>()) half += w / 2;
  Dim place = 0;
  for (; place + 1 < length; ++place) {
    sum += weights.data<double>()[place];
    if (sum >= half) break;
  }
  return place;
}

/// For each pair the row of its key, if the keys of all askers are laid one after the other.
Tensor laid_out_rows(const Askers& askers, const Pairs& pairs) {
  const Segments rows = laid_out(askers);
  Tensor out = Tensor::empty({pairs.count()}, DType::i32);
  for (Dim p = 0; p < pairs.count(); ++p) {
    const Dim i = pairs.query.data<std::int32_t>()[p], j = pairs.key.data<std::int32_t>()[p];
    out.mutable_data<std::int32_t>()[p] =
        static_cast<std::int32_t>(rows.begin(i) + j - askers.begin[static_cast<std::size_t>(i)]);
  }
  return out;
}

/// The place of each pair's key in its source.
std::vector<Dim> places(const Askers& askers, const Pairs& pairs) {
  std::vector<Dim> all;
  for (Dim p = 0; p < pairs.count(); ++p) {
    const auto i = static_cast<std::size_t>(pairs.query.data<std::int32_t>()[p]);
    all.push_back(pairs.key.data<std::int32_t>()[p] - askers.begin[i]);
  }
  return all;
}

/// Pair p is of key p: for scores that have a key of their own for each pair.
Pairs own_keys(Pairs pairs) {
  pairs.key = Tensor::empty({pairs.count()}, DType::i32);
  for (Dim p = 0; p < pairs.count(); ++p) {
    pairs.key.mutable_data<std::int32_t>()[p] = static_cast<std::int32_t>(p);
  }
  pairs.key_rows = pairs.count();
  return pairs;
}

/// One pair of each row: drawn from the weights, or the likeliest.
template <class T>
Tensor take_one(const Tensor& weights, const Segments& of_query, Rng* rng) {
  const Draws draws = rng ? rng->next() : Draws();
  Tensor taken = Tensor::empty({of_query.count()}, DType::i32);
  const T* w = weights.data<T>();
  for (Dim i = 0; i < of_query.count(); ++i) {
    FOVEA_CHECK(of_query.length(i) > 0, "attention: row ", i, " has no place to draw");
    const Dim begin = of_query.begin(i), end = of_query.end(i);
    Dim p = rng ? begin : std::max_element(w + begin, w + end) - w;
    if (rng) {
      double left = draws.uniform(static_cast<std::uint64_t>(i));
      while (p + 1 < end && (left -= static_cast<double>(w[p])) >= 0) ++p;
    }
    taken.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(p);
  }
  return taken;
}

/// Which rows take the weighted sum although attention is hard.
std::vector<bool> mixing_rows(std::size_t rows, double share, Rng& rng) {
  const Draws draws = rng.next();
  std::vector<bool> mixes(rows);
  for (std::size_t i = 0; i < rows; ++i) mixes[i] = draws.uniform(i) < share;
  return mixes;
}

/// What to read with: the weights of a row that mixes, 1 for the pair that another drew. (P, 1)
Var mixed_or_drawn(const Look& look, const std::vector<bool>& mixes) {
  const std::int32_t* query = look.pairs.query.data<std::int32_t>();
  const std::int32_t* drawn = look.drawn.data<std::int32_t>();
  const auto of_pairs = [&](auto value) {
    return column(static_cast<std::size_t>(look.pairs.count()), look.weights.dtype(), value);
  };
  const Tensor mixed = of_pairs([&](std::size_t p) { return mixes[query[p]] ? 1.0 : 0.0; });
  const Tensor taken = of_pairs([&](std::size_t p) {
    return !mixes[query[p]] && drawn[query[p]] == static_cast<std::int32_t>(p) ? 1.0 : 0.0;
  });
  return add(mul(look.weights, Var(mixed)), Var(taken));
}

Tensor keys_of(const Pairs& pairs, const Tensor& taken) {
  Tensor keys = Tensor::empty({taken.size()}, DType::i32);
  for (Dim i = 0; i < taken.size(); ++i) {
    keys.mutable_data<std::int32_t>()[i] =
        pairs.key.data<std::int32_t>()[taken.data<std::int32_t>()[i]];
  }
  return keys;
}

}  // namespace

Mechanism::Mechanism(Scope s, Dim query_width, Dim key_width, const MechanismConfig& config)
    : config_(checked(config, query_width, key_width)) {
  switch (config_.score) {
    case Score::general:
      general_.emplace(s / "general", query_width, key_width);
      break;
    case Score::location_aware:
      convolution_.emplace(s / "convolution", 1, config_.filters,
                           Window::same(config_.filter_width), ConvConfig{.bias = false});
      convolved_.emplace(s / "convolved", config_.filters, query_width,
                         LinearConfig{.bias = false});
      [[fallthrough]];
    case Score::concat:
      concat_.emplace(s / "concat", query_width, key_width, query_width);
      break;
    case Score::location:
      location_.emplace(s / "location", query_width, config_.longest);
      break;
    case Score::none:
    case Score::dot:
    case Score::scaled_dot:
      break;
  }
  if (config_.reach == ReachKind::local_p) {
    place_hidden_.emplace(s / "place.hidden", query_width, query_width,
                          LinearConfig{.activation = Activation::tanh, .bias = false});
    place_out_.emplace(s / "place.out", query_width, 1, LinearConfig{.bias = false});
  }
}

bool Mechanism::needs_last() const {
  return config_.score == Score::location_aware || config_.reach == ReachKind::monotone;
}

LookedAt Mechanism::prepare(const Var& memory) const {
  return {concat_ ? concat_->key(memory) : memory, memory};
}

/// p_i = (S - 1) sigmoid(v' tanh(W q_i)): Luong et al. 2015, eq. 9, whose first of S places is 1;
/// here it is 0.
Var Mechanism::predicted(const Var& queries, const Askers& askers) const {
  const Tensor last = column(askers.length.size(), queries.dtype(), [&](std::size_t i) {
    return static_cast<double>(askers.length[i] - 1);
  });
  return mul(sigmoid((*place_out_)((*place_hidden_)(queries))), Var(last));  // (Q, 1)
}

Pairs Mechanism::reached(const Askers& askers, const Tensor& middles, Dim key_rows) const {
  const std::size_t rows = askers.begin.size();
  std::vector<Dim> first(rows), count(rows), of_sequence;
  for (std::size_t i = 0; i < rows; ++i) {
    Dim low = 0, high = askers.length[i];
    if (config_.reach != ReachKind::global) {
      const double wanted = middles.data<double>()[i];
      const double middle = wanted >= 0 ? wanted : 0;  // also of NaN, which the scores show
      low = std::max(low, static_cast<Dim>(std::ceil(middle)) - config_.window);
      high = std::min(high, static_cast<Dim>(std::floor(middle)) + config_.window + 1);
    }
    first[i] = low;
    count[i] = std::max<Dim>(high - low, 0);
  }
  const Segments of_query = Segments::of_lengths(count);
  for (Dim s = 0; s < askers.sequences.count(); ++s) {
    of_sequence.push_back(of_query.begin(askers.sequences.end(s)) -
                          of_query.begin(askers.sequences.begin(s)));
  }
  const auto numbers = [&] { return Tensor::empty({of_query.rows()}, DType::i32); };
  Pairs pairs{.query = numbers(),
              .key = numbers(),
              .distance = numbers(),
              .of_query = of_query,
              .of_sequence = Segments::of_lengths(of_sequence),
              .key_rows = key_rows};
  for (std::size_t i = 0; i < rows; ++i) {
    Dim p = of_query.begin(static_cast<Dim>(i));
    for (Dim j = first[i]; j < first[i] + count[i]; ++j, ++p) {
      pairs.query.mutable_data<std::int32_t>()[p] = static_cast<std::int32_t>(i);
      pairs.key.mutable_data<std::int32_t>()[p] = static_cast<std::int32_t>(askers.begin[i] + j);
      pairs.distance.mutable_data<std::int32_t>()[p] =
          static_cast<std::int32_t>(j - askers.place[i]);
    }
  }
  return pairs;
}

Var Mechanism::scores(const Var& queries, const LookedAt& at, const Askers& askers,
                      const Pairs& pairs, const Var& last) const {
  switch (config_.score) {
    case Score::dot:
      return pair_dot(queries, at.keys, pairs, 1);
    case Score::scaled_dot:
      return scaled_dot_score(queries, at.keys, pairs);
    case Score::general:
      return (*general_)(queries, at.keys, pairs);
    case Score::concat:
      return pair_additive(concat_->query(queries), at.keys, concat_->v, pairs);
    case Score::location: {
      Tensor ids = Tensor::empty({pairs.count()}, DType::i32);
      const std::vector<Dim> place = places(askers, pairs);
      for (Dim p = 0; p < pairs.count(); ++p) {
        ids.mutable_data<std::int32_t>()[p] = static_cast<std::int32_t>(
            pairs.query.data<std::int32_t>()[p] * config_.longest +
            std::min(place[static_cast<std::size_t>(p)], config_.longest - 1));
      }
      const Var by_place = (*location_)(queries);  // (Q, longest)
      return gather_rows(reshape(by_place, {by_place.rows() * config_.longest, 1}), ids);
    }
    case Score::location_aware: {
      Var keys = gather_rows(at.keys, pairs.key);  // (P, A)
      if (last.defined()) {
        const Var seen = (*convolution_)(last, laid_out(askers));  // (laid out, filters)
        keys = add(keys, (*convolved_)(gather_rows(seen, laid_out_rows(askers, pairs))));
      }
      return pair_additive(concat_->query(queries), keys, concat_->v, own_keys(pairs));
    }
    case Score::none:
      break;
  }
  fail(ErrorKind::internal, "attention: no score");
}

Look Mechanism::operator()(const Var& queries, const LookedAt& at, const Askers& askers,
                           const Var& last, const Pass& pass) const {
  const std::size_t rows = askers.begin.size();
  Var middles;
  if (config_.reach == ReachKind::local_p) {
    middles = predicted(queries, askers);
  } else {
    const Segments laid = laid_out(askers);
    middles = column(rows, DType::f64, [&](std::size_t i) {
      if (config_.reach != ReachKind::monotone) {
        return static_cast<double>(std::min(askers.place[i], askers.length[i] - 1));
      }
      const Dim begin = laid.begin(static_cast<Dim>(i));
      return last.defined() ? static_cast<double>(median(last.value(), begin, askers.length[i]))
                            : 0;
    });
  }
  Look look;
  look.pairs = reached(askers, middles.value().to(DType::f64), at.values.rows());
  Var e = scores(queries, at, askers, look.pairs, last);  // (P, 1)
  if (config_.sharpness != 1) e = scale(e, config_.sharpness);
  look.weights = segment_softmax(e, look.pairs.of_query);
  if (config_.reach == ReachKind::local_p) {
    // softmax(e) exp(-(s - p)^2 / 2 sigma^2) with sigma = D / 2: Luong et al. 2015, eq. 10.
    const std::vector<Dim> place = places(askers, look.pairs);
    const Tensor s = column(place.size(), queries.dtype(),
                            [&](std::size_t p) { return static_cast<double>(place[p]); });
    const Var away = sub(gather_rows(middles, look.pairs.query), Var(s));  // (P, 1)
    const double sigma = static_cast<double>(std::max<Dim>(config_.window, 1)) / 2;
    look.weights = mul(look.weights, exp(scale(mul(away, away), -1 / (2 * sigma * sigma))));
  }
  if (needs_last()) {
    look.everywhere =
        scatter_rows(look.weights, laid_out_rows(askers, look.pairs), laid_out(askers).rows());
  }
  if (config_.allocate == Allocation::soft) {
    look.context = pair_read(look.weights, at.values, look.pairs);
    return look;
  }
  with_real("attention", look.weights.dtype(), [&](auto zero) {
    look.drawn = take_one<decltype(zero)>(look.weights.value(), look.pairs.of_query, pass.rng);
  });
  if (!pass.rng) {
    look.context = gather_rows(at.values, keys_of(look.pairs, look.drawn));
    return look;
  }
  const std::vector<bool> mixes = mixing_rows(rows, config_.mixed, *pass.rng);
  look.context = pair_read(mixed_or_drawn(look, mixes), at.values, look.pairs);
  const Var logs = segment_log_softmax(e, look.pairs.of_query);
  const Tensor draws =
      column(rows, queries.dtype(), [&](std::size_t i) { return mixes[i] ? 0.0 : 1.0; });
  look.log_probability = mul(gather_rows(logs, look.drawn), Var(draws));  // nothing drawn: 0
  look.entropy =
      scale(segment_pool(mul(look.weights, logs), look.pairs.of_query, Pooling::sum), -1);
  return look;
}

}  // namespace fovea
