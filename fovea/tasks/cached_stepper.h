/// An encoder and a decoder as searches see them: one hypothesis a row, what was computed of it in
/// a cache, what belongs to the source computed once.
#pragma once

#include "fovea/attention/cache.h"
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

  Tensor step(const Sequences& next) override;
  void select(std::span<const Dim> from) override;
  void join(Stepper& other) override;
  std::vector<Tensor> looked_at() const override { return looked_at_; }
  void attend(bool on) override;

 private:
  const Decoder& decoder_;
  Encoded source_;
  Cache cache_;
  std::string watched_;
  Dim lag_;
  bool attend_ = false;
  std::vector<Tensor> looked_at_;
};

}  // namespace fovea
