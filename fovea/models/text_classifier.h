/// Models that say which of several classes a text, or a pair of texts, is of. Each is a file of
/// its own; a recipe names one by `family`.
///
/// Letters: N words (rows), S sentences, B texts of a batch, C classes.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "fovea/attention/mechanism.h"
#include "fovea/models/text_encoder.h"
#include "fovea/models/text_pooler.h"
#include "fovea/nn/params.h"
#include "fovea/nn/pass.h"
#include "fovea/tensor/sequences.h"

namespace fovea {

enum class ClassifierFamily {
  class_query,   // a learned query for each class attends over the words
  static_sum,    // words weighed by a number of their own, whatever the class and the text
  hierarchical,  // words to sentences to the text: Yang et al. 2016
  conditional,   // pairs: the second text read from where reading the first ended
  attentive,     // pairs: and then one look at the first. Rocktaschel et al. 2016
  word_by_word,  // pairs: a look at the first text for each word of the second
  encoder,       // texts or pairs: any encoder, pooled. Devlin et al. 2019
  aligned,       // pairs: words compared with those that are like them. Parikh et al. 2016
};
constexpr std::array<std::string_view, 8> names_of(ClassifierFamily) {
  return {"class-query", "static-sum",   "hierarchical", "conditional",
          "attentive",   "word-by-word", "encoder",      "aligned"};
}

struct TextClassifierConfig {
  ClassifierFamily family = ClassifierFamily::class_query;
  Dim vocabulary = 0, classes = 0;  // told by the data
  Dim width = 128;                  // of the words' vectors
  Dim heads = 1;                    // class-query: of each query
  bool projections = true;          // class-query: words have keys and values of their own
  Dim ngrams = 1;  // class-query, static-sum: 1: words; 2: also pairs of neighbours; 3: triples
  Dim buckets = 20000;            // vectors that pairs and triples share by their hash
  std::vector<Dim> windows = {};  // class-query, static-sum: neighbours that filters see around
                                  // each word; none: words as they are
  Dim hidden = 64;                // of recurrent layers, in each direction; filters of each window
  Dim attention = 128;            // hierarchical: what scores are computed in
  Score score = Score::concat;    // attentive, word-by-word: concat as in the paper, or scaled-dot
  double dropout = 0;             // of the words' vectors and of what is classified

  // encoder
  TextEncoderConfig encoder = {};
  TextPooling pooling = TextPooling::first;
  Activation pooling_activation = Activation::tanh;  // of `first`
  bool pairs = false;                                // told by the data

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("family", family);
    visit("vocabulary", vocabulary);
    visit("classes", classes);
    visit("width", width);
    visit("heads", heads);
    visit("projections", projections);
    visit("ngrams", ngrams);
    visit("buckets", buckets);
    visit("windows", windows);
    visit("hidden", hidden);
    visit("attention", attention);
    visit("score", score);
    visit("dropout", dropout);
    visit("encoder", encoder);
    visit("pooling", pooling);
    visit("pooling_activation", pooling_activation);
    visit("pairs", pairs);
  }
};

/// An Error with a reason, if what a recipe says cannot make a model. What the data tells is not
/// looked at.
void check(const TextClassifierConfig& config);

/// Whether it reads two texts.
inline bool reads_pairs(const TextClassifierConfig& config) {
  switch (config.family) {
    case ClassifierFamily::conditional:
    case ClassifierFamily::attentive:
    case ClassifierFamily::word_by_word:
    case ClassifierFamily::aligned:
      return true;
    case ClassifierFamily::encoder:
      return config.pairs;
    default:
      return false;
  }
}

/// Texts as models read them.
struct TextBatch {
  Sequences words;   // ids (N); segments are sentences, (S)
  Segments texts;    // sentences of each text, (B); where nobody asks for sentences, a text is one
  Sequences second;  // of pairs: the words of the second texts, segments (B)

  Dim size() const { return texts.count(); }
};

class TextClassifier {
 public:
  virtual ~TextClassifier() = default;

  /// Throws, with a reason, if the settings make no sense together.
  static std::unique_ptr<TextClassifier> make(Scope s, const TextClassifierConfig& config);

  /// A score for each class, of which the largest is the answer: (B, C). A probe is given the
  /// weights of the layers that look().
  virtual Var logits(const TextBatch& batch, const Pass& pass) const = 0;
};

}  // namespace fovea
