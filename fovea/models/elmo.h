/// ELMo: Peters et al. 2018, "Deep contextualized word representations".
///
/// Two language models, one from each end, over words that are read letter by letter:
///
///   x = W_x highway(letters(w)) + b_x                            3.4; knows no neighbours
///   f_k = W_k LSTM_k(f_k-1) + b_k (+ f_k-1 for k > 1), f_0 = x   forwards; b_k backwards
///   loss = - sum_t log P(w_t+1 | f_L,t) - sum_t log P(w_t-1 | b_L,t), one softmax layer for both
///
/// What other tasks take from it, of each token, with weights of their own (3.2, eq. 1):
///
///   ELMo = gamma sum_k softmax(s)_k [f_k; b_k]
///
/// Highway: y = g relu(W x + b) + (1 - g) x, g = sigmoid(W_g x + b_g). Srivastava et al. 2015. The
/// paper's LSTM also projects inside its recurrence; here the projection stands between layers.
///
/// Letters: N tokens with the marks at both ends of each text, P projection, V words.
#pragma once

#include <vector>

#include "fovea/models/encoder_decoder.h"
#include "fovea/models/letter_features.h"
#include "fovea/nn/linear.h"
#include "fovea/nn/recurrent.h"

namespace fovea {

struct ElmoConfig {
  Dim vocabulary = 0;  // words that are predicted, told by the data
  Dim letters = 0;     // told by the data
  Dim letter_width = 16;
  std::vector<Dim> letter_windows = {1, 2, 3, 4, 5};
  Dim letter_filters = 48;  // of each window
  Dim highways = 1;
  Dim projection = 128;  // of tokens and of each direction's layers
  Dim hidden = 512;      // of the LSTMs
  Dim layers = 2;
  double dropout = 0.1;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("vocabulary", vocabulary);
    visit("letters", letters);
    visit("letter_width", letter_width);
    visit("letter_windows", letter_windows);
    visit("letter_filters", letter_filters);
    visit("highways", highways);
    visit("projection", projection);
    visit("hidden", hidden);
    visit("layers", layers);
    visit("dropout", dropout);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const ElmoConfig& config);

struct Highway {
  Linear change, gate;

  Highway(Scope s, Dim width);
  Var operator()(const Var& x) const;
};

/// The layers of one direction.
struct ElmoDirection {
  Direction direction;
  double dropout;
  std::vector<Lstm> layers;
  std::vector<Linear> projections;

  ElmoDirection(Scope s, Direction direction, const ElmoConfig& config);
  /// f_0 = x and all that follow: (N, P) each.
  std::vector<Var> operator()(const Var& x, const Segments& texts, const Pass& pass) const;
};

struct Elmo {
  ElmoConfig config;
  LetterFeatures letters;
  std::vector<Highway> highways;
  Linear projection;
  ElmoDirection forward, backward;
  OutputLayer out;

  Elmo(Scope s, const ElmoConfig& config);

  struct Layers {
    std::vector<Var> forward, backward;

    /// [f_k; b_k]: (N, 2P).
    std::vector<Var> joined() const;
  };
  /// `words`: letters, a segment for each token; `texts`: tokens, the marks at both ends included.
  Layers operator()(const Sequences& words, const Segments& texts, const Pass& pass) const;

  /// The sum of - log P of each text's tokens: forwards of all but the first, in reverse of all but
  /// the last. `ids` (N): of the tokens.
  Var loss(Direction direction, const Layers& layers, const Tensor& ids,
           const Segments& texts) const;
};

/// The learned mix of frozen layers: eq. 1.
struct ElmoMix {
  Var weights;  // (layers + 1, 1): s
  Var gamma;    // (1)

  ElmoMix(Scope s, Dim layers);
  /// Layers (N, D) each -> (N, D).
  Var operator()(const std::vector<Var>& layers) const;
};

}  // namespace fovea
