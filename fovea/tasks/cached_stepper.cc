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

Encoded encoded(const Encoder& encoder, const Sequences& sources) {
  const NoTape no_tape;
  return encoder(sources, {});
}

}  // namespace

Var last_rows(const Var& h, const Segments& segments) {
  if (segments.rows() == segments.count()) return h;
  Ids ids;
  for (Dim s = 0; s < segments.count(); ++s) {
    ids.push_back(static_cast<std::int32_t>(segments.end(s) - 1));
  }
  return gather_rows(h, Tensor::from<std::int32_t>({segments.count()}, ids));
}

CachedStepper::CachedStepper(const Encoder& encoder, const Decoder& decoder,
                             const Sequences& sources, std::string watched, Dim lag)
    : decoder_(decoder),
      source_(encoded(encoder, sources)),
      cache_(sources.segments.count()),
      watched_(std::move(watched)),
      lag_(lag) {}

void CachedStepper::attend(bool on) {
  FOVEA_CHECK(!on || !watched_.empty(), "decode: this model has no attention, so nothing is known ",
              "of what a hypothesis has covered; set decode.coverage_penalty to 0");
  attend_ = on;
}

Tensor CachedStepper::step(const Sequences& next) {
  const NoTape no_tape;
  // Coverage asks for other weights of what may be the same layer: it goes first.
  const bool look = look_ && layers_ && !attend_;
  Probe probe(look ? *layers_ : ProbeConfig{.where = watched_});
  const Pass pass = {.cache = &cache_, .probe = attend_ || look ? &probe : nullptr};
  const Var h = decoder_(next, source_, pass, {.lag = lag_});  // (N, W)
  seen_ = nullptr;
  if (look) {
    auto seen = std::make_shared<Seen>();
    seen->asked = layers_;
    seen->layers = probe.records();
    seen_ = std::move(seen);
  }
  looked_at_.clear();
  for (Dim s = 0; attend_ && s < next.segments.count(); ++s) {
    looked_at_.push_back(mean_of_heads(probe.records().back(), s));
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
  if (!layers_) layers_ = std::move(from.layers_);
  from.cache_ = Cache(0);
}

}  // namespace fovea
