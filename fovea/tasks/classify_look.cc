#include "fovea/tasks/classify_look.h"

#include <algorithm>

#include "fovea/attention/probe.h"
#include "fovea/models/word_bag.h"
#include "fovea/ops/softmax.h"
#include "fovea/tasks/encoder_look.h"

namespace fovea {
namespace {

using Words = std::vector<std::string>;

Words joined_words(const std::vector<Words>& sentences) {
  Words all;
  for (const Words& words : sentences) all.insert(all.end(), words.begin(), words.end());
  return all;
}

/// The words of a bag as the model looks at them: n-grams follow the words.
Words bag_of(const Words& words, Dim longest) {
  Words bag = words;
  for (const NGram& ngram : ngrams_of(words.size(), longest)) {
    std::string name = words[ngram.last];
    for (std::size_t i = 1; i < ngram.length; ++i) {
      name = (i > ngram.last ? "^" : words[ngram.last - i]) + " " + name;
    }
    bag.push_back(std::move(name));
  }
  return bag;
}

std::vector<float> row_of(const Tensor& weights, Dim row) {
  const float* from = weights.view<float>()[row];
  return {from, from + weights.cols()};
}

/// What n-grams received is shared by their words, so that the text itself can be shaded.
std::vector<float> on_words(const std::vector<float>& bag, std::size_t words, Dim longest) {
  std::vector<float> weights(bag.begin(), bag.begin() + static_cast<std::ptrdiff_t>(words));
  std::size_t at = words;
  for (const NGram& ngram : ngrams_of(words, longest)) {
    const std::size_t inside = std::min(ngram.length, ngram.last + 1);
    for (std::size_t i = 0; i < inside; ++i) {
      weights[ngram.last - i] += bag[at] / static_cast<float>(inside);
    }
    ++at;
  }
  return weights;
}

class Looking {
 public:
  Looking(const ClassificationModel& model, const TextPair& text)
      : model_(model), first_(model.pieces(text.first)) {
    const EncodedText first = model.encode(text.first);
    const EncodedText second = model.pairs() ? model.encode(text.second, true) : EncodedText();
    if (model.pairs()) second_ = joined_words(model.pieces(text.second, true));
    const TextIds ids{first.words, first.sentences, second.words};
    const NoTape no_tape;
    const Tensor p =
        softmax(model.classifier->logits(batch_of(std::span(&ids, 1)), {.probe = &probe_})).value();
    best_ = best_of(row_of(p, 0));
    looked_.line = model.pairs() ? text.first + " | " + text.second : text.first;
    looked_.answer = model.name(best_);
  }

  Looked looked() && {
    switch (model_.recipe.model.family) {
      case ClassifierFamily::class_query:
        classes();
        break;
      case ClassifierFamily::static_sum:
        text();
        break;
      case ClassifierFamily::hierarchical:
        sentences();
        break;
      case ClassifierFamily::conditional:
        fail("look: a conditional model has no attention; attentive and word-by-word have");
      case ClassifierFamily::attentive:
        premise({"(all of it)"});
        break;
      case ClassifierFamily::word_by_word:
        premise(second_);
        break;
      case ClassifierFamily::encoder:
        layers();
        break;
      case ClassifierFamily::aligned:
        both_ways();
        break;
    }
    return std::move(looked_);
  }

 private:
  /// The map of classes over words, and the text shaded for each class, the answer first.
  void classes() {
    const Words words = joined_words(first_), bag = bag_of(words, model_.recipe.model.ngrams);
    Words names;
    for (Dim c = 0; c < model_.recipe.model.classes; ++c) names.push_back(model_.name(c));
    looked_.maps = maps_of(probe_, 0, names, bag);
    const AttentionMap mean = mean_of(looked_.maps, "classes");
    for (Dim c = 0; c < mean.weights.rows(); ++c) {
      const auto at = c == best_ ? looked_.documents.begin() : looked_.documents.end();
      looked_.documents.insert(
          at, DocumentHeat{
                  concat("for ", model_.name(c), c == best_ ? " (the answer)" : ""),
                  {{1, words,
                    on_words(row_of(mean.weights, c), words.size(), model_.recipe.model.ngrams)}}});
    }
  }

  void text() {
    const Words words = joined_words(first_);
    const Tensor weights = probe_.find("text")->matrix(0, 0);
    looked_.documents.push_back(
        {"for every class",
         {{1, words, on_words(row_of(weights, 0), words.size(), model_.recipe.model.ngrams)}}});
  }

  void sentences() {
    const Tensor of_sentences = probe_.find("sentences")->matrix(0, 0);  // (1, S)
    DocumentHeat heat{.title = looked_.answer, .sentences = {}};
    for (std::size_t s = 0; s < first_.size(); ++s) {
      const Tensor of_words = probe_.find("words")->matrix(static_cast<Dim>(s), 0);
      heat.sentences.push_back({of_sentences.data<float>()[s], first_[s], row_of(of_words, 0)});
    }
    looked_.documents.push_back(std::move(heat));
  }

  void premise(const Words& queries) {
    looked_.maps = maps_of(probe_, 0, queries, joined_words(first_));
    looked_.alignment = looked_.maps.front();
  }

  void both_ways() {
    const Words first = joined_words(first_);
    looked_.maps = maps_of(*probe_.find("second"), 0, second_, first);
    looked_.alignment = looked_.maps.front();
    looked_.maps.push_back(maps_of(*probe_.find("first"), 0, first, second_).front());
  }

  /// Every layer over the rows of the text or pair. The text is shaded by what was pooled: the
  /// weights of pooling by attention, the rows that the largest came from, else where the last
  /// layer looked, from the first row if that alone is classified, from all rows on average if all
  /// are.
  void layers() {
    FOVEA_CHECK(
        !probe_.records().empty(),
        "look: these layers have no attention; train with pooling = \"attention\" or \"max\"");
    Words words = joined_words(first_);
    words.insert(words.end(), second_.begin(), second_.end());
    const Words text = {"(the text)"};
    std::vector<AttentionMap> last;
    for (const AttentionRecord& record : probe_.records()) {
      last = maps_of(record, 0, record.layer == "pooler" ? text : words, words);
      looked_.maps.insert(looked_.maps.end(), last.begin(), last.end());
    }
    const Tensor mean = mean_of(last).weights;
    const bool only_first = model_.recipe.model.pooling == TextPooling::first;
    looked_.documents.push_back(
        shaded(looked_.answer, words, mean, 0, only_first ? 1 : mean.rows()));
  }

  const ClassificationModel& model_;
  std::vector<Words> first_;
  Words second_;
  Probe probe_;
  Dim best_ = 0;
  Looked looked_;
};

}  // namespace

Looked look_at(const ClassificationModel& model, const TextPair& text) {
  return Looking(model, text).looked();
}

}  // namespace fovea
