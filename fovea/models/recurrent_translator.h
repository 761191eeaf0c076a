/// Recurrent encoder and decoder: the story of attention before the Transformer.
///
/// Without attention the decoder knows of the source only the encoder's last state: Sutskever et
/// al. 2014 (deep LSTM, source reversed) and Cho et al. 2014 (GRU that is given the state at every
/// step). With it, each step looks at all states of the encoder: Bahdanau et al. 2015 (`before`),
/// Luong et al. 2015 (`after`, `feed`).
///
/// Letters: M rows of sources, N rows of targets, B sequences, E embedding, H hidden units.
#pragma once

#include <optional>

#include "fovea/attention/mechanism.h"
#include "fovea/models/encoder_decoder.h"
#include "fovea/models/recurrent_stack.h"
#include "fovea/nn/embedding.h"

namespace fovea {

/// Where what was looked at enters the decoder.
enum class ReadOut {
  before,  // c_t = look(s_{t-1}) is part of the input of step t: Bahdanau et al. 2015, A.2.2
  after,   // h~_t = tanh(W [c_t; h_t]) with c_t = look(h_t): Luong et al. 2015, eq. 5
  feed,    // the same, and h~_t is part of the input of step t + 1: 3.3 there
};
constexpr std::array<std::string_view, 3> names_of(ReadOut) { return {"before", "after", "feed"}; }

struct RecurrentTranslatorConfig : Vocabularies {
  Cell cell = Cell::gru;
  Dim embedding = 256;
  Dim hidden = 512;           // of the decoder, and of each direction of the encoder
  Dim layers = 1;             // of each
  bool bidirectional = true;  // the encoder
  bool reversed = false;  // the encoder reads sources from their end: Sutskever et al. 2014, 3.3
  ReadOut read = ReadOut::before;
  MechanismConfig attention = {};
  double dropout = 0.2;  // of embeddings, between layers, of what stands behind the last layer
  bool tied = true;      // the targets' embedding is the last layer's weight
  /// Of what REINFORCE adds to the loss, for hard attention: Xu et al. 2015, eq. 11. Its gradients
  /// are noise for the most part: with 1 they are most of what clipping leaves of all.
  double reward = 0.1;
  double entropy = 0.01;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("source_vocabulary", source_vocabulary);
    visit("target_vocabulary", target_vocabulary);
    visit("cell", cell);
    visit("embedding", embedding);
    visit("hidden", hidden);
    visit("layers", layers);
    visit("bidirectional", bidirectional);
    visit("reversed", reversed);
    visit("read", read);
    visit("attention", attention);
    visit("dropout", dropout);
    visit("tied", tied);
    visit("reward", reward);
    visit("entropy", entropy);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const RecurrentTranslatorConfig& config);

struct RecurrentEncoder : Encoder {
  RecurrentTranslatorConfig config;
  Embedding tokens;
  RecurrentStack layers;

  RecurrentEncoder(Scope s, const RecurrentTranslatorConfig& config);
  Encoded operator()(const Sequences& sources, const Pass& pass) const override;
};

struct RecurrentDecoder : Decoder {
  RecurrentTranslatorConfig config;
  std::string name;  // what a probe calls the attention
  Embedding tokens;
  std::optional<Mechanism> attention;
  Var baseline;  // (1), with hard attention: what a target is expected to be worth, in nats
  std::vector<Linear> bridge;  // from the encoder's last states to the decoder's first
  RecurrentStack layers;
  Linear join;  // what stands behind the last layer: (E, H + what was read [+ E])
  OutputLayer last;

  RecurrentDecoder(Scope s, const RecurrentTranslatorConfig& config);
  Decoded decode(const Sequences& targets, const Encoded& source, const Pass& pass,
                 const DecoderOptions& options) const override;
  const OutputLayer& out() const override { return last; }
  AttentionLayers attention_layers() const override;

  /// Those of the cache, or made from the encoder's last.
  RecurrentStack::States first_states(const Encoded& source, const Pass& pass) const;
  void keep_states(const RecurrentStack::States& states, const Pass& pass) const;

 private:
  /// Whether a step needs what the last one looked at: recurrent_steps.h. If not, all rows of a
  /// layer go in one.
  bool step_by_step() const;
  Decoded whole(const Sequences& targets, const Encoded& source, const Pass& pass) const;
};

}  // namespace fovea
