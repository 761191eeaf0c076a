#include "fovea/models/convolutional.h"

#include <cmath>

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/base/table_check.h"
#include "fovea/nn/positions.h"
#include "fovea/ops/attend.h"
#include "fovea/ops/convolution.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

const ConvolutionalConfig& checked(const ConvolutionalConfig& c) {
  check(c);
  return c;
}

/// The sum of two of equal variance, with that variance: 3.4.
Var balanced_sum(const Var& a, const Var& b) { return scale(add(a, b), std::sqrt(0.5)); }

/// For each new row, itself and those before it of its sequence, which are the last that `seen`
/// has.
Windows last_rows(const CachedKeys& seen, const Segments& fresh, Dim kernel) {
  Tensor index = Tensor::empty({fresh.rows(), kernel}, DType::i32);
  std::int32_t* next = index.mutable_data<std::int32_t>();
  for (Dim s = 0; s < fresh.count(); ++s) {
    const Dim end = seen.sequences.length(s);
    for (Dim place = end - fresh.length(s); place < end; ++place) {
      for (Dim i = place - kernel + 1; i <= place; ++i) {
        *next++ = static_cast<std::int32_t>(i < 0 ? -1 : seen.rows.data<Dim>()[s] + i);
      }
    }
  }
  return Windows(seen.kv.rows(), index);
}

/// m sqrt(1/m) for each row that looks at m others: the mean of m rows has 1/m of their variance,
/// and attention begins as a mean. 3.4
Tensor spread_lost(const Segments& looking, const Segments& seen, DType dtype) {
  Tensor factors = Tensor::empty({looking.rows()}, dtype);
  with_real("convolutional", dtype, [&](auto zero) {
    using T = decltype(zero);
    for (Dim s = 0; s < looking.count(); ++s) {
      std::fill_n(factors.mutable_data<T>() + looking.begin(s), looking.length(s),
                  static_cast<T>(std::sqrt(static_cast<double>(seen.length(s)))));
    }
  });
  return factors;
}

}  // namespace

void check(const ConvolutionalConfig& c) {
  const TableCheck model("model");
  model.layers("encoder_layers", 0, c.encoder_layers);
  model.layers("decoder_layers", 1, c.decoder_layers);
  model.sizes(
      {{"width", c.width}, {"hidden", c.hidden}, {"kernel", c.kernel}, {"longest", c.longest}});
  model.shares({{"dropout", c.dropout}});
}

ConvolutionalInput::ConvolutionalInput(Scope s, Dim vocabulary, const ConvolutionalConfig& c)
    : tokens(s / "tokens", vocabulary, c.width, {.init = init::normal(0.1)}),
      places(s / "places", c.longest, c.width, {.init = init::normal(0.1)}),
      drop(c.dropout) {}

Var ConvolutionalInput::operator()(const Sequences& rows, std::span<const Dim> seen,
                                   const Pass& pass) const {
  const Dim longest = places.weight.rows();
  for (Dim s = 0; s < rows.segments.count(); ++s) {
    const Dim end = seen[static_cast<std::size_t>(s)] + rows.segments.length(s);
    FOVEA_CHECK(end <= longest, ErrorKind::too_large, "convolutional: a sequence of ", end,
                " rows, but places were learned for ", longest,
                "; shorten it, or train with a larger model.longest");
  }
  return dropout(add(tokens(rows.ids), places(positions_of(rows.segments, seen))), drop, pass.rng);
}

GatedConvolution::GatedConvolution(Scope s, const ConvolutionalConfig& c)
    : name(s.name()),
      // A gate that is half open and dropout that keeps p of its input: N(0, 4p / n), 3.5.
      filters(s, c.kernel * c.hidden, 2 * c.hidden, 4 * (1 - c.dropout)),
      drop(c.dropout) {}

Var GatedConvolution::operator()(const Var& h, const Windows& windows, const Pass& pass) const {
  return glu(filters(rows_under(dropout(h, drop, pass.rng), windows)));
}

Var GatedConvolution::after_cached(const Var& h, const Segments& segments, Dim kernel,
                                   const Pass& pass) const {
  FOVEA_CHECK(!h.needs_gradient(), name, ": a cache is not trained through; decode under NoTape");
  const CachedKeys seen = pass.cache->extend(name, h.value(), 0, h.cols(), segments);
  return (*this)(seen.kv, last_rows(seen, segments, kernel), pass);
}

ConvolutionalEncoder::ConvolutionalEncoder(Scope s, const ConvolutionalConfig& c)
    : config(checked(c)),
      input(s, c.source_vocabulary, c),
      in(s / "in", c.width, c.hidden, 1 - c.dropout),
      out(s / "out", c.hidden, c.width) {
  for (Dim i = 0; i < c.encoder_layers; ++i) layers.emplace_back(s / i, c);
}

Encoded ConvolutionalEncoder::operator()(const Sequences& sources, const Pass& pass) const {
  const std::vector<Dim> seen(static_cast<std::size_t>(sources.segments.count()), 0);
  const Var e = input(sources, seen, pass);  // (M, W)
  const Windows windows(sources.segments, Window::same(config.kernel));
  Var h = in(e);  // (M, H)
  for (const GatedConvolution& layer : layers) h = balanced_sum(layer(h, windows, pass), h);
  // Every layer of the decoder sends a gradient back; the encoder, but not e, takes their mean: 3.4
  const Var z = scale_gradient(out(h), 1 / static_cast<double>(config.decoder_layers));
  return {concat_columns({z, add(z, e)}), sources.segments};
}

StepAttention::StepAttention(Scope s, const ConvolutionalConfig& c)
    : name(s.name()), query(s / "query", c.hidden, c.width), out(s / "out", c.width, c.hidden) {}

Var StepAttention::queries(const Var& h, const Var& g) const { return add(query(h), g); }

Var StepAttention::operator()(const Var& h, const Var& d, const Segments& segments,
                              const Encoded& source, const Pass& pass) const {
  CachedKeys keys = {source.rows.value(), {}, source.segments};
  if (pass.cache) {
    keys = pass.cache->memory(name, source.segments, [&] { return source.rows.value(); });
  }
  const auto read = [&](AttendCapture* capture) -> Var {
    const AttendConfig config = {.scale = 1, .capture = capture};
    if (!pass.cache) return attend_memory(d, source.rows, segments, source.segments, config);
    return attend_cached(d.value(), keys.kv, segments, keys.sequences, keys.rows, config);
  };
  const Var c = pass.probe ? pass.probe->watch(name, 1, segments, keys.sequences, read)
                           : read(nullptr);  // (N, W): equation 2
  return balanced_sum(out(mul_column(c, spread_lost(segments, keys.sequences, c.dtype()))), h);
}

Var StepAttention::weights(const Var& d, const Var& source_rows, const Pairs& pairs) const {
  const Var z = columns(source_rows, 0, d.cols());
  return segment_softmax(pair_dot(d, z, pairs, 1), pairs.of_query);
}

ConvolutionalDecoder::ConvolutionalDecoder(Scope s, const ConvolutionalConfig& c)
    : config(checked(c)),
      input(s, c.target_vocabulary, c),
      in(s / "in", c.width, c.hidden, 1 - c.dropout),
      back(s / "back", c.hidden, c.width),
      last(c.tied ? OutputLayer(s / "out", input.tokens.weight)
                  : OutputLayer(s / "out", c.target_vocabulary, c.width)) {
  for (Dim i = 0; i < c.decoder_layers; ++i) {
    layers.push_back({GatedConvolution(s / i, c), StepAttention(s / i / "cross", c)});
  }
}

Decoded ConvolutionalDecoder::decode(const Sequences& targets, const Encoded& source,
                                     const Pass& pass, const DecoderOptions& options) const {
  expect_no_lag(options, "convolutional decoder");
  FOVEA_CHECK(!options.guided || options.guided->head == 0, ErrorKind::bad_setting,
              "objective.alignment.head: convolutional layers have one head, 0; found ",
              options.guided->head);
  const Segments& segments = targets.segments;
  const Var g = input(targets, seen_by(pass.cache, segments.count()), pass);  // (N, W)
  const Windows windows = pass.cache ? Windows() : Windows(segments, Window::causal(config.kernel));
  Var h = in(g);  // (N, H)
  Decoded out;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto& [convolution, cross] = layers[i];
    const Var state = pass.cache ? convolution.after_cached(h, segments, config.kernel, pass)
                                 : convolution(h, windows, pass);
    const Var d = cross.queries(state, g);
    const Var read = cross(state, d, segments, source, pass);
    if (options.guided && options.guided->layer == static_cast<Dim>(i)) {
      out.guided.pairs = pairs_in_reach(segments, source.segments);
      out.guided.weights = cross.weights(d, source.rows, out.guided.pairs);
    }
    // The way round a block goes round its attention too, as in the code that the authors
    // published.
    h = balanced_sum(read, h);
  }
  out.rows = dropout(back(h), config.dropout, pass.rng);  // (N, W)
  return out;
}

AttentionLayers ConvolutionalDecoder::attention_layers() const {
  AttentionLayers all;
  for (const Layer& layer : layers)
    all.push_back({layer.cross.name, RowsOf::target, RowsOf::source});
  return all;
}

}  // namespace fovea
