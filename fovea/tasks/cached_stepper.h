/// An encoder and a decoder as searches see them: one hypothesis a row, what was computed of it in
/// a cache, what belongs to the source computed once.
#pragma once

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/decode/stepper.h"
#include "fovea/models/encoder_decoder.h"

namespace fovea {

/// The last row of each sequence, none of which is empty.
Var last_rows(const Var& h, const Segments& segments);

class CachedStepper : public Stepper {
 public:
  /// One hypothesis for each source. No tape is made; weights may be packed.
  /// `watched` is the one of decoder.looks() that looked_at() tells of; `lag` as in
  /// DecoderOptions.
  CachedStepper(const Encoder& encoder, const Decoder& decoder, const Sequences& sources,
                std::string watched = {}, Dim lag = -1);

  /// What looked() gives when look(true) was said.
  struct Seen : StepLook {
    std::shared_ptr<const ProbeConfig> asked;
    std::vector<AttentionRecord> layers;
  };
  /// Which weights those are. One that joins brings its own, if nothing was named before.
  void look_at(ProbeConfig layers) {
    layers_ = std::make_shared<const ProbeConfig>(std::move(layers));
  }

  Tensor step(const Sequences& next) override;
  void select(std::span<const Dim> from) override;
  void join(Stepper& other) override;
  std::vector<Tensor> looked_at() const override { return looked_at_; }
  void attend(bool on) override;
  std::shared_ptr<const StepLook> looked() const override { return seen_; }
  void look(bool on) override { look_ = on; }

 private:
  const Decoder& decoder_;
  Encoded source_;
  Cache cache_;
  std::string watched_;
  Dim lag_;
  bool attend_ = false, look_ = false;
  std::vector<Tensor> looked_at_;
  std::shared_ptr<const ProbeConfig> layers_;
  std::shared_ptr<const Seen> seen_;
};

}  // namespace fovea
