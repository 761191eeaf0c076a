/// What the attention of models that classify looked at, as a RunRecord.
#include "fovea/tasks/classify/classify.h"

#include <algorithm>
#include <limits>

#include "fovea/attention/probe.h"
#include "fovea/models/word_bag.h"
#include "fovea/tasks/class_choice.h"

namespace fovea {
namespace {

using Words = std::vector<std::string>;

Words joined_words(const std::vector<Words>& sentences) {
  Words all;
  for (const Words& words : sentences) all.insert(all.end(), words.begin(), words.end());
  return all;
}

/// The words of a text and its n-grams after them, as the model attends to them.
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

/// The weights of words, with those of n-grams divided among their words.
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

/// Whether each word has few weights, by which the text is shaded.
bool shades_texts(ClassifierFamily family) {
  return family == ClassifierFamily::class_query || family == ClassifierFamily::static_sum ||
         family == ClassifierFamily::hierarchical;
}

class TextRecording {
 public:
  TextRecording(const Classify& task, const ClassifyQuery& query, const RecordOptions& options)
      : task_(task),
        options_(options),
        first_(task.pieces(query.first)),
        probe_(shades_texts(task.recipe.model.family) ? ProbeConfig() : options.probe()) {
    FOVEA_CHECK(
        !shades_texts(task.recipe.model.family) || (options.heads.empty() && options.layers == "*"),
        "look: the words of a text are shaded by all attention to them; leave out ",
        "--layers and --heads");
    if (task.pairs()) second_ = joined_words(task.pieces(query.second, true));
    const NoTape no_tape;
    const Batch<ClassifyExample> batch(&query.example, 1);
    const auto probabilities = task.outputs(batch, task.forward(batch, {.probe = &probe_}));
    best_ = likeliest_class(probabilities.front());
    record_.output = task.class_name(best_);
    record_.cut = query.cut;
  }

  RunRecord record() && {
    switch (task_.recipe.model.family) {
      case ClassifierFamily::class_query:
        classes();
        break;
      case ClassifierFamily::static_sum:
        text();
        break;
      case ClassifierFamily::hierarchical:
        sentences();
        break;
      case ClassifierFamily::conditional:  // no attention
        break;
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
    return std::move(record_);
  }

 private:
  /// Adds a layer, if the options name it and the model has it.
  void add(const std::string& layer, const char* queries, const char* keys) {
    const AttentionRecord* seen = probe_.find(layer);
    if (seen && matches(options_.layers, layer)) record_.add(*seen, 0, queries, keys);
  }

  /// The map of classes over words, and the text shaded for each class, the answer first.
  void classes() {
    const Dim ngrams = task_.recipe.model.ngrams;
    const Words words = joined_words(first_);
    RunRecord::Sequence names{"classes", {}};
    for (Dim c = 0; c < task_.recipe.model.classes; ++c)
      names.tokens.push_back(task_.class_name(c));
    record_.sequences = {{"text", bag_of(words, ngrams)}, names};
    add("classes", "classes", "text");
    const AttentionRecord* seen = probe_.find("classes");
    for (Dim c = 0; c < std::ssize(names.tokens); ++c) {
      std::vector<float> mean(record_.sequences[0].tokens.size(), 0);
      for (Dim h = 0; h < std::ssize(seen->heads); ++h) {
        const std::vector<float> row = row_of(seen->matrix(0, h), c);
        for (std::size_t w = 0; w < mean.size(); ++w) {
          mean[w] += row[w] / static_cast<float>(seen->heads.size());
        }
      }
      const auto at = c == best_ ? record_.documents.begin() : record_.documents.end();
      record_.documents.insert(
          at, DocumentHeat{concat("for ", task_.class_name(c), c == best_ ? " (the answer)" : ""),
                           {{1, words, on_words(mean, words.size(), ngrams)}}});
    }
  }

  void text() {
    const Dim ngrams = task_.recipe.model.ngrams;
    const Words words = joined_words(first_);
    record_.sequences = {{"text", bag_of(words, ngrams)}, {"whole", {"(the text)"}}};
    add("text", "whole", "text");
    const std::vector<float> row = row_of(probe_.find("text")->matrix(0, 0), 0);
    record_.documents.push_back(
        {"for every class", {{1, words, on_words(row, words.size(), ngrams)}}});
  }

  /// Words have weights within their sentence, so that there is no map of the whole text.
  void sentences() {
    const Tensor of_sentences = probe_.find("sentences")->matrix(0, 0);  // (1, S)
    DocumentHeat heat{.title = record_.output, .sentences = {}};
    for (std::size_t s = 0; s < first_.size(); ++s) {
      const Tensor of_words = probe_.find("words")->matrix(static_cast<Dim>(s), 0);
      heat.sentences.push_back({of_sentences.data<float>()[s], first_[s], row_of(of_words, 0)});
    }
    record_.documents.push_back(std::move(heat));
  }

  void premise(const Words& queries) {
    record_.sequences = {{"first", joined_words(first_)}, {"second", queries}};
    add("premise", "second", "first");
    record_.align("premise", 0);
  }

  void both_ways() {
    record_.sequences = {{"first", joined_words(first_)}, {"second", second_}};
    add("second", "second", "first");
    add("first", "first", "second");
    record_.align("second", 0);
  }

  /// Every layer over the rows of the text or pair. The text is shaded by the weights of pooling by
  /// attention or by the rows of the maxima; without them, by the attention of the last layer: of
  /// the first row, if only that is classified, or else of all rows on average.
  void layers() {
    Words words = joined_words(first_);
    words.insert(words.end(), second_.begin(), second_.end());
    record_.sequences = {{"text", words}};
    for (const AttentionRecord& seen : probe_.records()) {
      if (seen.layer == "pooler") record_.sequences.push_back({"whole", {"(the text)"}});
      record_.add(seen, 0, seen.layer == "pooler" ? "whole" : "text", "text");
    }
    if (record_.layers.empty()) return;
    const bool only_first = task_.recipe.model.pooling == TextPooling::first;
    record_.documents.push_back(shaded_by(record_, record_.layers.back().name, record_.output, 0,
                                          only_first ? 1 : std::numeric_limits<Dim>::max()));
  }

  const Classify& task_;
  const RecordOptions& options_;
  std::vector<Words> first_;
  Words second_;
  Probe probe_;
  Dim best_ = 0;
  RunRecord record_;
};

}  // namespace

RunRecord Classify::observe(const Query& query, const RecordOptions& options) const {
  return TextRecording(*this, query, options).record();
}

RunRecord Classify::record(const Query& query, const RecordOptions& options) const {
  RunRecord record = observe(query, options);
  FOVEA_CHECK(!record.layers.empty() || !record.documents.empty() || options.layers != "*",
              "look: this model has no attention; among models of pairs, attentive and ",
              "word-by-word have, among encoders those with pooling = \"attention\" or \"max\"");
  return record;
}

}  // namespace fovea
