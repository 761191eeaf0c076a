#include "fovea/attention/probe.h"

#include <algorithm>
#include <numeric>

namespace fovea {

bool matches(std::string_view pattern, std::string_view name) {
  // Patterns may come from strangers: each star takes as little as it can, and only the last one is
  // ever made longer, so that no pattern costs more than its length times the name's.
  constexpr std::size_t none = std::string_view::npos;
  std::size_t p = 0, n = 0, star = none, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != none) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == none;
}

namespace {

kernels::CaptureKind kind_of(Keep keep) {
  switch (keep) {
    case Keep::all:
      return kernels::CaptureKind::all;
    case Keep::top:
      return kernels::CaptureKind::top;
    case Keep::received:
      break;
  }
  return kernels::CaptureKind::received;
}

/// How many weights a record holds.
Dim weight_count(const AttentionRecord& record) {
  Dim size = 0;
  for (Dim s = 0; s < record.sequences(); ++s) {
    const auto [first, last] = record.chosen(s);
    switch (record.keep) {
      case Keep::all:
        size += (last - first) * record.keys.length(s);
        break;
      case Keep::top:
        size += (last - first) * record.top;
        break;
      case Keep::received:
        size += record.keys.length(s);
        break;
    }
  }
  return size * static_cast<Dim>(record.heads.size());
}

/// Chosen queries of all sequences before `sequence`.
Dim chosen_before(const AttentionRecord& record, Dim sequence) {
  Dim rows = 0;
  for (Dim s = 0; s < sequence; ++s) {
    const auto [first, last] = record.chosen(s);
    rows += last - first;
  }
  return rows;
}

void check(const AttentionRecord& record, Keep keep, Dim sequence, Dim h) {
  FOVEA_CHECK(record.keep == keep, "probe: ", record.layer,
              " was not asked for this kind of weights");
  FOVEA_CHECK(sequence >= 0 && sequence < record.sequences() && h >= 0 &&
                  h < static_cast<Dim>(record.heads.size()),
              "probe: ", record.layer, " has ", record.sequences(), " sequences and ",
              record.heads.size(), " chosen heads; asked for sequence ", sequence, ", head ", h);
}

/// Columns [begin, begin + cols) of rows [first, last) of a matrix with `stride` columns.
Tensor block(const Tensor& matrix, Dim stride, Dim first, Dim last, Dim begin, Dim cols) {
  Tensor out = Tensor::empty({last - first, cols}, matrix.dtype());
  const std::size_t element = size_of(matrix.dtype());
  const auto* from = static_cast<const std::byte*>(matrix.raw());
  auto* to = static_cast<std::byte*>(out.mutable_raw());
  for (Dim r = first; r < last; ++r) {
    const auto offset = static_cast<std::size_t>(r * stride + begin) * element;
    to = std::copy_n(from + offset, static_cast<std::size_t>(cols) * element, to);
  }
  return out;
}

}  // namespace

std::pair<Dim, Dim> AttentionRecord::chosen(Dim sequence) const {
  const Dim length = queries.length(sequence);
  const auto place = [length](Dim at) {
    return std::clamp<Dim>(at < 0 ? at + length : at, 0, length);
  };
  const Dim first = place(first_query);
  return {first, std::max(first, place(end_query))};
}

Tensor AttentionRecord::matrix(Dim sequence, Dim h) const {
  check(*this, Keep::all, sequence, h);
  Dim begin = 0;
  const auto count = static_cast<Dim>(heads.size());
  for (Dim s = 0; s < sequence; ++s) {
    const auto [first, last] = chosen(s);
    begin += (last - first) * keys.length(s) * count;
  }
  const auto [first, last] = chosen(sequence);
  const Dim size = (last - first) * keys.length(sequence);
  return weights.slice(begin + h * size, begin + (h + 1) * size)
      .reshape({last - first, keys.length(sequence)});
}

AttentionRecord::Top AttentionRecord::largest(Dim sequence, Dim h) const {
  check(*this, Keep::top, sequence, h);
  const auto [first, last] = chosen(sequence);
  const Dim row = chosen_before(*this, sequence), stride = static_cast<Dim>(heads.size()) * top;
  const auto part = [&, rows = last - first](const Tensor& t) {
    return block(t, stride, row, row + rows, h * top, top);
  };
  return {part(weights), part(top_keys)};
}

Tensor AttentionRecord::received(Dim sequence, Dim h) const {
  check(*this, Keep::received, sequence, h);
  const Tensor column = block(weights, static_cast<Dim>(heads.size()), keys.begin(sequence),
                              keys.end(sequence), h, 1);
  return column.reshape({column.size()});
}

Probe::Probe(ProbeConfig config) { except(std::move(config)); }

void Probe::except(ProbeConfig config) {
  FOVEA_CHECK(config.top >= 1, "probe: the ", config.top, " largest weights were asked for");
  FOVEA_CHECK(std::adjacent_find(config.heads.begin(), config.heads.end(),
                                 std::greater_equal<>()) == config.heads.end(),
              "probe: name heads in rising order");
  asks_.insert(asks_.begin(), std::move(config));
}

const ProbeConfig* Probe::asked(std::string_view layer) const {
  const auto at = std::find_if(asks_.begin(), asks_.end(),
                               [&](const ProbeConfig& c) { return matches(c.where, layer); });
  return at == asks_.end() ? nullptr : &*at;
}

const AttentionRecord* Probe::find(std::string_view layer) const {
  const auto at = std::find_if(records_.rbegin(), records_.rend(),
                               [&](const AttentionRecord& r) { return r.layer == layer; });
  return at == records_.rend() ? nullptr : &*at;
}

bool Probe::wants(std::string_view layer) const { return asked(layer) != nullptr; }

AttentionRecord Probe::begin(const std::string& layer, Dim heads, const Segments& queries,
                             const Segments& keys, std::size_t element) const {
  const ProbeConfig& config = *asked(layer);
  AttentionRecord record{.layer = layer,
                         .keep = config.keep,
                         .heads = config.heads,
                         .top = config.top,
                         .first_query = config.first_query,
                         .end_query = config.end_query,
                         .queries = queries,
                         .keys = keys,
                         .weights = {},
                         .top_keys = {}};
  if (record.heads.empty()) {
    record.heads.resize(static_cast<std::size_t>(heads));
    std::iota(record.heads.begin(), record.heads.end(), 0);
  }
  FOVEA_CHECK(record.heads.empty() || (record.heads.front() >= 0 && record.heads.back() < heads),
              "probe: ", layer, " has ", heads, " heads; head ", record.heads.back(),
              " was asked for");
  const auto size = [&] { return static_cast<std::size_t>(weight_count(record)) * element; };
  if (config.or_top && record.keep == Keep::all && size() > config.limit) record.keep = Keep::top;
  const std::size_t bytes = size();
  FOVEA_CHECK(bytes <= config.limit, ErrorKind::too_large, "probe: the weights of ", layer,
              " take ", bytes >> 20, " MiB, more than the limit of ", config.limit >> 20,
              " MiB; keep the top or what was received, name heads or rows, or raise the limit");
  return record;
}

Var Probe::watch(const std::string& layer, Dim heads, const Segments& queries, const Segments& keys,
                 const std::function<Var(AttendCapture*)>& run) {
  if (!wants(layer)) return run(nullptr);
  AttentionRecord record = begin(layer, heads, queries, keys, sizeof(float));
  AttendCapture capture{.kind = kind_of(record.keep),
                        .heads = record.heads,
                        .first_query = record.first_query,
                        .end_query = record.end_query,
                        .top = record.top};
  Var out = run(&capture);
  record.weights = std::move(capture.weights);
  record.top_keys = std::move(capture.keys);
  records_.push_back(std::move(record));
  return out;
}

namespace {

/// The record of weights (P, H) given pair by pair.
template <class T>
class PairRecorder {
 public:
  PairRecorder(AttentionRecord& record, const Tensor& weights, const Pairs& pairs)
      : record_(record), pairs_(pairs), w_(weights.view<T>()) {
    record.weights = Tensor::zeros({weight_count(record)}, weights.dtype());
    out_ = record.weights.mutable_data<T>();
    if (record.keep == Keep::top)
      record.top_keys = Tensor::full({weight_count(record)}, -1, DType::i32);
  }

  void run() {
    for (Dim s = 0; s < record_.sequences(); ++s) {
      const auto [first, last] = record_.chosen(s);
      for (Dim i = first; i < last; ++i) {
        for (std::size_t h = 0; h < record_.heads.size(); ++h) row(s, i, static_cast<Dim>(h));
      }
    }
  }

 private:
  T weight(Dim pair, Dim h) const { return w_[pair][record_.heads[static_cast<std::size_t>(h)]]; }

  void row(Dim s, Dim i, Dim h) {
    const Dim query = record_.queries.begin(s) + i;
    const Dim begin = pairs_.of_query.begin(query), end = pairs_.of_query.end(query);
    const std::int32_t* key = pairs_.key.data<std::int32_t>();
    const auto heads = static_cast<Dim>(record_.heads.size());
    if (record_.keep == Keep::received) {
      for (Dim p = begin; p < end; ++p) out_[key[p] * heads + h] += weight(p, h);
    } else if (record_.keep == Keep::all) {
      T* to = record_.matrix(s, h).template mutable_data<T>() +
              (i - record_.chosen(s).first) * record_.keys.length(s);
      for (Dim p = begin; p < end; ++p) to[key[p] - record_.keys.begin(s)] = weight(p, h);
    } else {
      std::vector<Dim> order(static_cast<std::size_t>(end - begin));
      std::iota(order.begin(), order.end(), begin);
      std::stable_sort(order.begin(), order.end(),
                       [&](Dim a, Dim b) { return weight(a, h) > weight(b, h); });
      const Dim row = chosen_before(record_, s) + i - record_.chosen(s).first;
      const Dim at = (row * heads + h) * record_.top;
      for (Dim t = 0; t < std::min(record_.top, end - begin); ++t) {
        const Dim p = order[static_cast<std::size_t>(t)];
        out_[at + t] = weight(p, h);
        record_.top_keys.mutable_data<std::int32_t>()[at + t] =
            static_cast<std::int32_t>(key[p] - record_.keys.begin(s));
      }
    }
  }

  AttentionRecord& record_;
  const Pairs& pairs_;
  Rows<const T> w_;
  T* out_;
};

}  // namespace

void Probe::keep(const std::string& layer, const Tensor& weights, const Pairs& pairs,
                 const Segments& queries, const Segments& keys) {
  if (!wants(layer)) return;
  AttentionRecord record = begin(layer, weights.cols(), queries, keys, size_of(weights.dtype()));
  with_real("probe", weights.dtype(),
            [&](auto zero) { PairRecorder<decltype(zero)>(record, weights, pairs).run(); });
  records_.push_back(std::move(record));
}

}  // namespace fovea
