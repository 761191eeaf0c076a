#include "fovea/tasks/cached_stepper.h"

#include <numeric>

#include "fovea/ops/rows.h"

namespace fovea {
namespace {

/// The mean of all heads, summed over the queries of a sequence: (keys).
Tensor mean_of_heads(const AttentionRecord& record, Dim sequence) {
  Tensor mean = Tensor::zeros({record.keys.length(sequence)});
  const auto heads = static_cast<Dim>(record.heads.size());
  for (Dim h = 0; h < heads; ++h) {
    const Tensor weights = record.matrix(sequence, h);  // (queries, keys)
    for (Dim i = 0; i < weights.size(); ++i) {
      mean.mutable_data<float>()[i % mean.size()] +=
          weights.data<float>()[i] / static_cast<float>(heads);
    }
  }
  return mean;
}

}  // namespace

Encoded encode(const Encoder& encoder, const Sequences& sources) {
  const NoTape no_tape;
  return encoder(sources, {});
}

Var last_rows(const Var& h, const Segments& segments) {
  if (segments.rows() == segments.count()) return h;
  Ids ids;
  for (Dim s = 0; s < segments.count(); ++s) {
    ids.push_back(static_cast<std::int32_t>(segments.end(s) - 1));
  }
  return gather_rows(h, Tensor::from<std::int32_t>({segments.count()}, ids));
}

CachedStepper::CachedStepper(const Decoder& decoder, Encoded source, std::string coverage_layer,
                             Dim lag)
    : decoder_(decoder),
      source_(std::move(source)),
      cache_(source_.segments.count()),
      coverage_layer_(std::move(coverage_layer)),
      lag_(lag) {}

void CachedStepper::track_coverage(bool on) {
  FOVEA_CHECK(!on || !coverage_layer_.empty(),
              "decode: this model has no attention, so nothing is ",
              "known of what a hypothesis has covered; set decode.coverage_penalty to 0");
  tracks_coverage_ = on;
}

void CachedStepper::extend_source(const Tensor& rows) {
  FOVEA_CHECK(source_.segments.count() == 1 && cache_.sequences() == 1,
              "decode: only the source of a single hypothesis can go on, found ",
              cache_.sequences(), " hypotheses");
  const NoTape no_tape;
  source_.rows = concat_rows({source_.rows, rows});
  source_.segments = Segments::uniform(1, source_.rows.rows());
  cache_.forget_memory();
}

Tensor CachedStepper::step(const Sequences& next) {
  const NoTape no_tape;
  // Coverage needs other weights of what may be the same layer: it goes first.
  const bool captures = captures_ && capture_layers_ && !tracks_coverage_;
  Probe probe(captures ? *capture_layers_ : ProbeConfig{.where = coverage_layer_});
  const Pass pass = {.cache = &cache_, .probe = tracks_coverage_ || captures ? &probe : nullptr};
  const Var h = decoder_.decode(next, source_, pass, {.lag = lag_}).rows;  // (N, W)
  captured_ = nullptr;
  if (captures) {
    auto capture = std::make_shared<Capture>();
    capture->asked = capture_layers_;
    capture->layers = probe.records();
    captured_ = std::move(capture);
  }
  coverage_.clear();
  for (Dim s = 0; tracks_coverage_ && s < next.segments.count(); ++s) {
    coverage_.push_back(mean_of_heads(probe.records().back(), s));
  }
  return decoder_.out().logits(last_rows(h, next.segments)).value();
}

void CachedStepper::select(std::span<const Dim> from) { cache_.select(from); }

/// What is needed of the sources is in the caches after the first step.
void CachedStepper::join(Stepper& other) {
  auto& from = dynamic_cast<CachedStepper&>(other);
  FOVEA_CHECK(&decoder_ == &from.decoder_ && lag_ == from.lag_,
              "decode: only texts of one decoder and lag can be written together");
  cache_.join(from.cache_);
  if (!capture_layers_) capture_layers_ = std::move(from.capture_layers_);
  from.cache_ = Cache(0);
}

}  // namespace fovea
