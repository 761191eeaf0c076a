/// Attention-based summarisation: a feed-forward language model over the last C words, which looks
/// at the source through them. Rush et al. 2015, "A neural attention model for abstractive sentence
/// summarization", 3.1 and 3.2 (enc3):
///
///   p(y_{i+1} | x, y_c) ~ exp(V h + W enc(x, y_c)),   h = tanh(U [E y_{i-C+1}, ..., E y_i])
///   x~_j = F x_j,   y~' = [G y_{i-C+1}, ..., G y_i],   p ~ exp(x~_j . P y~')   over the source j
///   x-_j = mean of x~ over the places j - Q, ..., j + Q that there are,   enc = sum_j p_j x-_j
///
/// Before the first word stands nothing: zeros.
///
/// Letters: M rows of sources, N rows of targets, D embedding, H hidden units.
#pragma once

#include "fovea/models/encoder_decoder.h"
#include "fovea/nn/embedding.h"
#include "fovea/nn/linear.h"

namespace fovea {

struct AbsConfig : Vocabularies {
  Dim embedding = 200;  // D: of E and G
  Dim hidden = 400;     // H: of h, and of the source's words
  Dim context = 5;      // C
  Dim smoothing = 2;    // Q
  double dropout =
      0.2;  // of embeddings and of what stands behind the last layer; the paper has none

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("source_vocabulary", source_vocabulary);
    visit("target_vocabulary", target_vocabulary);
    visit("embedding", embedding);
    visit("hidden", hidden);
    visit("context", context);
    visit("smoothing", smoothing);
    visit("dropout", dropout);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const AbsConfig& config);

/// Gives (x~ | x-) of each row: (M, 2H).
struct AbsEncoder : Encoder {
  AbsConfig config;
  Embedding tokens;  // F

  AbsEncoder(Scope s, const AbsConfig& config);
  Encoded operator()(const Sequences& sources, const Pass& pass) const override;
};

struct AbsDecoder : Decoder {
  AbsConfig config;
  std::string name;         // what a probe calls the attention
  Embedding words, asking;  // E, G
  Linear state, question;   // U, P
  OutputLayer last;         // (V | W)

  AbsDecoder(Scope s, const AbsConfig& config);
  /// Rows are (h | enc): (N, 2H).
  Decoded decode(const Sequences& targets, const Encoded& source, const Pass& pass,
                 const DecoderOptions& options) const override;
  const OutputLayer& out() const override { return last; }
  AttentionLayers attention_layers() const override {
    return {{name, RowsOf::target, RowsOf::source}};
  }

 private:
  /// The targets with the words before them that a cache keeps, and which rows the targets are.
  struct Recent {
    Sequences all;
    Tensor rows;  // (N) i32; undefined: all of them
  };
  Recent recent(const Sequences& targets, const Pass& pass) const;
  Var look(const Var& asked, const Segments& targets, const Encoded& source,
           const Pass& pass) const;
};

}  // namespace fovea
