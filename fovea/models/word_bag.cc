#include "fovea/models/word_bag.h"

#include "fovea/base/hash.h"
#include "fovea/ops/dropout.h"

namespace fovea {
namespace {

/// A word before the beginning counts as -1.
std::uint64_t hash_of(const std::int32_t* words, const NGram& ngram) {
  std::uint64_t h = ngram.length;
  for (std::size_t i = 0; i < ngram.length; ++i) {
    h = hashed(h, i > ngram.last ? -1 : words[ngram.last - i]);
  }
  return h;
}

}  // namespace

Segments rows_of_texts(const Segments& sentences, const Segments& texts) {
  std::vector<Dim> offsets;
  for (const Dim sentence : texts.offsets()) offsets.push_back(sentences.begin(sentence));
  return Segments::of_offsets(offsets);
}

WordBag::WordBag(Scope s, const TextClassifierConfig& config)
    : vocabulary(config.vocabulary),
      ngrams(config.ngrams),
      buckets(config.ngrams > 1 ? config.buckets : 0),
      dropout(config.dropout),
      vectors(s / "words", size(), config.width),
      row_width(config.width) {
  if (config.windows.empty()) return;
  filters.emplace(s / "filters", config.width, config.hidden, config.windows);
  row_width = config.hidden * std::ssize(config.windows);
}

std::vector<NGram> ngrams_of(std::size_t words, Dim longest) {
  std::vector<NGram> all;
  for (std::size_t length = 2; length <= static_cast<std::size_t>(longest); ++length) {
    // The first begins one place before the text: it tells with what the text begins.
    for (std::size_t last = length - 2; last < words; ++last) all.push_back({last, length});
  }
  return all;
}

Sequences WordBag::ids(const TextBatch& batch) const {
  const Segments texts = rows_of_texts(batch.words.segments, batch.texts);
  if (ngrams == 1) return {batch.words.ids, texts};
  std::vector<Ids> bags;
  for (Dim t = 0; t < texts.count(); ++t) {
    const std::int32_t* words = batch.words.ids.data<std::int32_t>() + texts.begin(t);
    Ids bag(words, words + texts.length(t));
    for (const NGram& ngram : ngrams_of(bag.size(), ngrams)) {
      const std::uint64_t bucket = hash_of(words, ngram) % static_cast<std::uint64_t>(buckets);
      bag.push_back(static_cast<std::int32_t>(vocabulary + static_cast<Dim>(bucket)));
    }
    bags.push_back(std::move(bag));
  }
  return joined(bags);
}

Var WordBag::rows(const Sequences& bag, const Pass& pass) const {
  const Var words = fovea::dropout(vectors(bag.ids), dropout, pass.rng);
  return filters ? (*filters)(words, bag.segments) : words;
}

}  // namespace fovea
