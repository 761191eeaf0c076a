/// A decoder and what an encoder made of its sources, as searches see them: one hypothesis a row,
/// what was computed of it in a cache, what belongs to the source computed once.
#pragma once

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/decode/stepper.h"
#include "fovea/models/encoder_decoder.h"

namespace fovea {

/// The last row of each sequence, none of which is empty.
Var last_rows(const Var& h, const Segments& segments);

/// What an encoder makes of sources that are only read: no tape is made.
Encoded encode(const Encoder& encoder, const Sequences& sources);

class CachedStepper : public Stepper {
 public:
  /// One hypothesis for each source. No tape is made; weights may be packed.
  /// `coverage_layer` is the one of decoder.cross_attention() whose weights are the coverage; `lag`
  /// as in DecoderOptions.
  CachedStepper(const Decoder& decoder, Encoded source, std::string coverage_layer = {},
                Dim lag = -1);

  /// What captured() gives.
  struct Capture : StepCapture {
    std::shared_ptr<const ProbeConfig> asked;
    std::vector<AttentionRecord> layers;
  };
  /// Which weights capture(true) keeps. A stepper that joins brings its own, if this has none.
  void capture_layers(ProbeConfig layers) {
    capture_layers_ = std::make_shared<const ProbeConfig>(std::move(layers));
  }

  /// The source of a single hypothesis goes on with these rows of the encoder, (M, W).
  void extend_source(const Tensor& rows);

  Tensor step(const Sequences& next) override;
  void select(std::span<const Dim> from) override;
  void join(Stepper& other) override;
  std::vector<Tensor> coverage() const override { return coverage_; }
  void track_coverage(bool on) override;
  std::shared_ptr<const StepCapture> captured() const override { return captured_; }
  void capture(bool on) override { captures_ = on; }

 private:
  const Decoder& decoder_;
  Encoded source_;
  Cache cache_;
  std::string coverage_layer_;
  Dim lag_;
  bool tracks_coverage_ = false, captures_ = false;
  std::vector<Tensor> coverage_;
  std::shared_ptr<const ProbeConfig> capture_layers_;
  std::shared_ptr<const Capture> captured_;
};

}  // namespace fovea
