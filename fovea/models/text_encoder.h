/// Models that give each token of a text a vector that knows its surroundings: what stands under
/// language models (which look back only), BERT, taggers, and classifiers of texts and pairs.
///
/// Letters: N tokens (rows), W width, V vocabulary.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/models/places.h"
#include "fovea/models/recurrent_stack.h"
#include "fovea/models/transformer_layer.h"
#include "fovea/nn/embedding.h"
#include "fovea/tensor/sequences.h"

namespace fovea {

enum class TextFamily {
  transformer,  // BERT (Devlin et al. 2019); looking back only: GPT (Radford et al. 2018)
  recurrent,    // LSTM or GRU, in both directions; looking back only: forwards
  convolution,  // filters over neighbours: Kim 2014
};
constexpr std::array<std::string_view, 3> names_of(TextFamily) {
  return {"transformer", "recurrent", "convolution"};
}

struct TextEncoderConfig {
  TextFamily family = TextFamily::transformer;
  Dim vocabulary = 0;   // told by the data
  bool causal = false;  // told by the task: each token sees only those before it

  Dim layers = 4;
  Dim width = 128;   // of the tokens' vectors and, in a Transformer, of everything
  Dim hidden = 512;  // of the feed-forward; of recurrent layers, in each direction; filters of each
                     // window
  double dropout = 0.1;

  // Transformers
  Dim heads = 4;
  Dim kv_heads = 0;  // fewer than heads: shared among them; 0: as many
  Activation activation = Activation::gelu;
  bool gated = false;  // with silu: SwiGLU
  bool bias = true;    // in the layers' linear maps
  NormPlace norm = NormPlace::pre;
  NormKind norm_kind = NormKind::layer;
  double norm_eps = 1e-5;
  bool input_norm = false;  // also of the sum of vectors that enters, as in BERT
  Positions positions = Positions::learned;
  Dim longest = 512;           // places that learned positions have
  double rotary_base = 10000;  // of rotary positions
  double attention_dropout = 0, activation_dropout = 0;

  Cell cell = Cell::lstm;                // recurrent
  std::vector<Dim> windows = {3, 4, 5};  // convolution: tokens that a filter sees

  // What else is told of a token
  Dim kinds = 0;                          // texts of a pair that are told apart; 0: none
  Dim letters = 0;                        // different ones, told by the data; 0: not read
  Dim letter_width = 32;                  // of their vectors
  Dim letter_filters = 64;                // of each window
  std::vector<Dim> letter_windows = {3};  // letters that a filter sees
  Dim known_layers = 0, known_width = 0;  // what ELMo knows of it: told by the task; 0: nothing

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("family", family);
    visit("vocabulary", vocabulary);
    visit("causal", causal);
    visit("layers", layers);
    visit("width", width);
    visit("hidden", hidden);
    visit("dropout", dropout);
    visit("heads", heads);
    visit("kv_heads", kv_heads);
    visit("activation", activation);
    visit("gated", gated);
    visit("bias", bias);
    visit("norm", norm);
    visit("norm_kind", norm_kind);
    visit("norm_eps", norm_eps);
    visit("input_norm", input_norm);
    visit("positions", positions);
    visit("longest", longest);
    visit("rotary_base", rotary_base);
    visit("attention_dropout", attention_dropout);
    visit("activation_dropout", activation_dropout);
    visit("cell", cell);
    visit("windows", windows);
    visit("kinds", kinds);
    visit("letters", letters);
    visit("letter_width", letter_width);
    visit("letter_filters", letter_filters);
    visit("letter_windows", letter_windows);
    visit("known_layers", known_layers);
    visit("known_width", known_width);
  }
};

/// An Error that names the key, if what a recipe says in this table cannot make an encoder. What
/// the task tells is not looked at.
void check(const TextEncoderConfig& config, std::string_view table);

/// Texts as encoders read them.
struct TextRows {
  Sequences tokens;             // ids (N); segments are texts
  Tensor kinds = {};            // (N) i32: which text of a pair; undefined: the first
  Sequences letters = {};       // if the encoder reads them: those of each token, segments (N)
  std::vector<Var> known = {};  // what each layer of ELMo knows of each token, (N, known_width)
};

class TextEncoder {
 public:
  virtual ~TextEncoder() = default;

  /// Throws, with a reason, if the settings make no sense together.
  static std::unique_ptr<TextEncoder> make(Scope s, const TextEncoderConfig& config);

  /// (N, width()). With a cache, which needs `causal`, rows are what each text has not been given
  /// yet.
  virtual Var operator()(const TextRows& rows, const Pass& pass) const = 0;
  virtual Dim width() const = 0;
  /// The vectors of the tokens, (V, W): a last layer may share them.
  virtual const Embedding& tokens() const = 0;
  /// The layers whose weights can be seen, by the names that a probe knows, from the first to the
  /// last.
  virtual std::vector<std::string> looks() const = 0;
  /// The names under which a cache has the states of recurrent layers, (texts, hidden) each; none
  /// in a Transformer.
  virtual std::vector<std::string> states() const { return {}; }
};

}  // namespace fovea
