/// A tag for each word of a text: names, slots, parts of speech. An encoder of texts, and above it
/// either a choice for each word by itself or a conditional random field over all words together
/// (Huang et al. 2015; Lample et al. 2016). If wanted, also what the whole text asks for (its
/// intent), learned with the tags: Liu and Lane 2016.
///
/// Letters: N words, B texts, C tags, I intents.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fovea/models/hierarchical.h"
#include "fovea/models/text_encoder.h"
#include "fovea/nn/linear.h"
#include "fovea/ops/crf.h"

namespace fovea {

struct TaggerConfig : TextEncoderConfig {
  Dim tags = 0, intents = 0;  // told by the data; 0 intents: none are learned
  bool crf = true;            // false: each word's tag by itself
  Dim intent_attention = 64;  // what the words' weights for the intent are computed in

  template <class Visitor>
  void fields(Visitor& visit) {
    TextEncoderConfig::fields(visit);
    visit("tags", tags);
    visit("intents", intents);
    visit("crf", crf);
    visit("intent_attention", intent_attention);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const TaggerConfig& config);

struct TagBatch {
  TextRows rows;
  Segments words;  // of each text (B)
  Tensor firsts;   // (N) i32: the row that each word begins with; undefined: each row is a word
};

class Tagger {
 public:
  /// Weighs words by a learned context vector (Yang et al. 2016, eqs. 5-7).
  struct IntentHead {
    ContextAttention look;
    Linear out;
  };

  Tagger(Scope s, const TaggerConfig& config);

  struct Scores {
    Var tags;     // (N, C)
    Var intents;  // (B, I); undefined if there are none
  };
  /// A probe sees the encoder's layers and "intent": a query for each text, keys are its words.
  Scores operator()(const TagBatch& batch, const Pass& pass) const;

  /// - log p of the tags (N) i32, summed. Negative ones do not count, which a field cannot leave
  /// out: an Error.
  Var tag_loss(const Var& scores, const Segments& words, const Tensor& tags) const;
  /// The likeliest: (N) i32. A field gives only what the rules allow.
  Tensor best(const Tensor& scores, const Segments& words, const TagRules& rules) const;

  const TextEncoder& encoder() const { return *encoder_; }
  const Linear& out() const { return out_; }
  const std::optional<CrfWeights>& field() const { return field_; }
  const std::optional<IntentHead>& intent() const { return intent_; }
  /// The name of the layer that weighs words for the intent.
  static constexpr std::string_view intent_layer = "intent";

 private:
  std::unique_ptr<TextEncoder> encoder_;
  Linear out_;
  std::optional<CrfWeights> field_;
  std::optional<IntentHead> intent_;
};

}  // namespace fovea
