/// An encoder of texts under a linear layer that tells classes apart: BERT's way with one text or a
/// pair (Devlin et al. 2019, figure 4 a and b), or recurrent layers whose rows are pooled.
///
///   h = encoder(first text, second text),  logits = W_c pool(h) + b_c
#pragma once

#include "fovea/models/text_classifier.h"
#include "fovea/models/text_pooler.h"

namespace fovea {

class EncoderClassifier : public TextClassifier {
 public:
  EncoderClassifier(Scope s, const TextClassifierConfig& config);
  /// The second text follows the first in the same sequence; what marks their ends is among their
  /// words. A probe sees the encoder's layers and, of pooling by attention, "pooler".
  Var logits(const TextBatch& batch, const Pass& pass) const override;

  const TextEncoder& encoder() const { return *encoder_; }
  const TextPooler& pooler() const { return pooler_; }
  const Linear& out() const { return out_; }

 private:
  TextClassifierConfig config_;
  std::unique_ptr<TextEncoder> encoder_;
  TextPooler pooler_;
  Linear out_;
};

}  // namespace fovea
