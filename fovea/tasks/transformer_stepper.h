/// The Transformer as searches see it: one hypothesis a row, keys and values in a cache, those of
/// the source computed once.
#pragma once

#include "fovea/attention/cache.h"
#include "fovea/decode/stepper.h"
#include "fovea/models/transformer.h"

namespace fovea {

class TransformerStepper : public Stepper {
 public:
  /// One hypothesis for each source. No tape is made while it lives; weights may be packed.
  /// `watched` is the layer that looked_at() tells of; `lag` as in DecoderOptions.
  TransformerStepper(const TransformerEncoder& encoder, const TransformerDecoder& decoder,
                     const Sequences& sources, Dim watched, Dim lag = -1);

  Tensor step(const Sequences& next) override;
  void select(std::span<const Dim> from) override;
  std::vector<Tensor> looked_at() const override { return looked_at_; }
  void attend(bool on) override { attend_ = on; }

 private:
  NoTape no_tape_;
  const TransformerDecoder& decoder_;
  Segments sources_;
  Var memory_;
  Cache cache_;
  Dim watched_, lag_;
  bool attend_ = false;
  std::vector<Tensor> looked_at_;
};

}  // namespace fovea
