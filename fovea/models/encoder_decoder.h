/// A model that reads a source and writes a target, as training, searches and pictures see it,
/// whatever is inside: a Transformer, recurrent layers, convolutions.
///
/// Letters: M rows of sources, N rows of targets, W width, V vocabulary.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/models/attention_layer.h"
#include "fovea/nn/params.h"
#include "fovea/nn/pass.h"
#include "fovea/ops/pairs.h"
#include "fovea/tensor/sequences.h"

namespace fovea {

/// How many ids each side has. Every family's settings begin with these.
struct Vocabularies {
  Dim source_vocabulary = 0, target_vocabulary = 0;
};

/// What an encoder leaves to decoders.
struct Encoded {
  Var rows;  // (M, W): what attention looks at
  Segments segments;
  std::vector<Var> states = {};  // of recurrent layers, after each source: (sources, H) each
  std::vector<Dim> begins = {};  // places of the first rows, if training drew them; none: all 0
  Var ponder = {};               // the cost of all rows, if they halt: models/halting.h
};

/// One head of one layer of cross attention.
struct AttentionHead {
  Dim layer = 0, head = 0;
};

/// The weights of a head, as something that can be trained.
struct HeadWeights {
  Pairs pairs = {};  // all targets and sources
  Var weights = {};  // (P, 1)
};

/// Where hard attention looked in a training pass, as REINFORCE needs it: attention/reinforce.h.
struct DrawnPlaces {
  Var log_probability = {};  // (N, 1): of the place that each target row drew
  Var entropy = {};          // (N, 1): of what it was drawn from
  Var baseline = {};         // (1): the model's own, a buffer
};

struct DecoderOptions {
  Dim lag = -1;                              // other than the model's; -1: the model's
  std::optional<AttentionHead> guided = {};  // whose weights are wanted: guided alignment
};

/// What a decoder makes of its targets. What a model does not have is undefined.
struct Decoded {
  Var rows = {};            // (N, W): what stands behind each next token, given those before it
  HeadWeights guided = {};  // of DecoderOptions::guided
  DrawnPlaces drawn = {};   // of hard attention
  Var ponder = {};          // of models that halt: the cost of all rows, see models/halting.h
};

/// The last layer: logits = h W' + b.
struct OutputLayer {
  Var weight;  // (V, W), perhaps the embedding of the targets
  Var bias;    // (V), or undefined
  PackedWeight packed;

  OutputLayer(Scope s, Dim vocabulary, Dim width, bool biased = true);
  OutputLayer(Scope s, const Var& shared, bool biased = true);
  OutputLayer(Scope s, const Weight& weight, bool biased = true);

  Var logits(const Var& h) const;  // (N, V)
  /// The sum over the rows of -log P(target), smoothed.
  Var loss_sum(const Var& h, const Tensor& targets, double smoothing) const;
};

class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual Encoded operator()(const Sequences& sources, const Pass& pass) const = 0;
  /// All that a probe can see of it, in the order in which it is computed.
  virtual AttentionLayers attention_layers() const { return {}; }
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  /// With a cache, `targets` are what each sequence has not been given yet.
  virtual Decoded decode(const Sequences& targets, const Encoded& source, const Pass& pass,
                         const DecoderOptions& options) const = 0;
  /// The rows alone: (N, W).
  Var operator()(const Sequences& targets, const Encoded& source, const Pass& pass) const {
    return decode(targets, source, pass, {}).rows;
  }
  virtual const OutputLayer& out() const = 0;
  /// All that a probe can see of it, in the order in which it is computed.
  virtual AttentionLayers attention_layers() const = 0;
  /// The names of those that attend to the source. None: the decoder knows only the encoder's last
  /// state.
  std::vector<std::string> cross_attention() const;
};

struct EncoderDecoder {
  std::unique_ptr<Encoder> encoder;
  std::unique_ptr<Decoder> decoder;
};

/// An Error if a decoder that reads whole sources is given a lag, or one whose weights are not
/// trained is asked for them. `decoder`: "recurrent decoder".
void expect_no_lag(const DecoderOptions& options, std::string_view decoder);
void expect_no_guide(const DecoderOptions& options, std::string_view decoder);

/// Rows of each sequence that a cache has already seen.
std::vector<Dim> seen_by(const Cache* cache, Dim sequences);
/// The place of each sequence's next row, given where sequences begin.
std::vector<Dim> places_after(const std::vector<Dim>& seen, const std::vector<Dim>& begins);

}  // namespace fovea
