/// The words of texts as an unordered bag, and if wanted their n-grams as further words; or each
/// word with what filters find around it, as Mullenbach et al. 2018 ("Explainable prediction of
/// medical codes from clinical text", 2.1) have it under their attention for each label.
///
/// Letters: N words, M words and n-grams, W width, R width of a row.
#pragma once

#include <optional>
#include <string>

#include "fovea/models/text_classifier.h"
#include "fovea/models/text_convolution.h"
#include "fovea/nn/embedding.h"

namespace fovea {

/// Ids of words are below `vocabulary`; n-grams have the `buckets` ids above, which they share by
/// their hash (Joulin et al. 2017).
struct WordBag {
  Dim vocabulary, ngrams, buckets;
  double dropout;
  Embedding vectors;  // (vocabulary + buckets, W)
  std::optional<NeighbourFilters> filters;
  Dim row_width;

  WordBag(Scope s, const TextClassifierConfig& config);

  /// How many ids there are.
  Dim size() const { return vocabulary + buckets; }
  /// The words of each text, then its pairs, then its triples. Segments are texts.
  Sequences ids(const TextBatch& batch) const;
  /// With dropout while training.
  Var rows(const Sequences& bag, const Pass& pass) const;  // (M, R)
};

/// The words that end the n-grams of a text, in the order of its bag: n-gram i ends with word
/// `last` and has `length` words, of which the first may stand before the text.
struct NGram {
  std::size_t last, length;
};
std::vector<NGram> ngrams_of(std::size_t words, Dim longest);

/// Segments of segments joined: where the rows of each text begin, however many sentences it has.
Segments rows_of_texts(const Segments& sentences, const Segments& texts);

}  // namespace fovea
