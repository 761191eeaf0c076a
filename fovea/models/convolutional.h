/// Convolutions from sequence to sequence, with attention in every layer of the decoder: Gehring et
/// al. 2017, "Convolutional sequence to sequence learning".
///
///   a block:         h = sqrt(1/2) (glu(W [h_(i-k/2) ... h_(i+k/2)] + b) + h_i)             3.2
///   its attention:   d_i = W h_i + b + g_i,  a_ij = softmax_j(d_i . z_j),
///                    c_i = sum_j a_ij (z_j + e_j)                                           3.3
///
/// with z what the encoder makes of the source, e and g the vectors of source and target tokens at
/// their places. All weights but tables are normed (nn/normed_linear.h), all sums of two are scaled
/// by sqrt(1/2) so that their variance stays (3.4), and parameters begin as in 3.5.
///
/// Letters: M rows of sources, N rows of targets, W width of vectors, H hidden units, K kernel.
#pragma once

#include <string>
#include <vector>

#include "fovea/models/encoder_decoder.h"
#include "fovea/nn/embedding.h"
#include "fovea/nn/normed_linear.h"
#include "fovea/ops/windows.h"

namespace fovea {

struct ConvolutionalConfig : Vocabularies {
  Dim encoder_layers = 4, decoder_layers = 4;
  Dim width = 256;       // of the vectors of tokens and of places
  Dim hidden = 256;      // units of each block
  Dim kernel = 3;        // rows that a block sees at a time
  Dim longest = 1024;    // places that have a vector
  bool tied = false;     // the target's vectors are also the last layer's: Press and Wolf 2017
  double dropout = 0.2;  // of vectors, of what a block sees, of the decoder's output

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("source_vocabulary", source_vocabulary);
    visit("target_vocabulary", target_vocabulary);
    visit("encoder_layers", encoder_layers);
    visit("decoder_layers", decoder_layers);
    visit("width", width);
    visit("hidden", hidden);
    visit("kernel", kernel);
    visit("longest", longest);
    visit("tied", tied);
    visit("dropout", dropout);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const ConvolutionalConfig& config);

/// Vectors of tokens and of their places, added: 3.1.
struct ConvolutionalInput {
  Embedding tokens, places;
  double drop;

  ConvolutionalInput(Scope s, Dim vocabulary, const ConvolutionalConfig& config);
  /// Sequence s goes on from its place seen[s].
  Var operator()(const Sequences& rows, std::span<const Dim> seen, const Pass& pass) const;
};

/// glu(W [rows under a window] + b): Dauphin et al. 2017.
struct GatedConvolution {
  std::string name;
  NormedLinear filters;  // (2H, K H)
  double drop;           // of what it sees

  GatedConvolution(Scope s, const ConvolutionalConfig& config);
  Var operator()(const Var& h, const Windows& windows, const Pass& pass) const;
  /// Of rows that follow those which the cache has of each sequence: nothing is seen after them.
  Var after_cached(const Var& h, const Segments& segments, Dim kernel, const Pass& pass) const;
};

struct ConvolutionalEncoder : Encoder {
  ConvolutionalConfig config;
  ConvolutionalInput input;
  NormedLinear in;  // (H, W)
  std::vector<GatedConvolution> layers;
  NormedLinear out;  // (W, H)

  ConvolutionalEncoder(Scope s, const ConvolutionalConfig& config);
  /// Its rows are what attention compares with and what it reads, side by side: (z | z + e), (M,
  /// 2W).
  Encoded operator()(const Sequences& sources, const Pass& pass) const override;
};

/// One of the several looks at the source: 3.3.
struct StepAttention {
  std::string name;
  NormedLinear query;  // (W, H)
  NormedLinear out;    // (H, W)

  StepAttention(Scope s, const ConvolutionalConfig& config);
  /// d = W h + b + g, (N, W): equation 1.
  Var queries(const Var& h, const Var& g) const;
  /// h with what was read, sqrt(1/2) (h + W c + b): (N, H). `d`: the queries, (N, W).
  Var operator()(const Var& h, const Var& d, const Segments& segments, const Encoded& source,
                 const Pass& pass) const;
  /// The weights on ordinary ops, one a pair: (P, 1).
  Var weights(const Var& d, const Var& source_rows, const Pairs& pairs) const;
};

struct ConvolutionalDecoder : Decoder {
  struct Layer {
    GatedConvolution convolution;
    StepAttention cross;
  };
  ConvolutionalConfig config;
  ConvolutionalInput input;
  NormedLinear in;  // (H, W)
  std::vector<Layer> layers;
  NormedLinear back;  // (W, H)
  OutputLayer last;

  ConvolutionalDecoder(Scope s, const ConvolutionalConfig& config);

  Decoded decode(const Sequences& targets, const Encoded& source, const Pass& pass,
                 const DecoderOptions& options) const override;
  const OutputLayer& out() const override { return last; }
  AttentionLayers attention_layers() const override;
};

}  // namespace fovea
