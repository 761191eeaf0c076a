#include "fovea/tasks/translate/translate_record.h"

#include <algorithm>

#include "fovea/inspect/join_words.h"
#include "fovea/tasks/decoder_record.h"

namespace fovea {
namespace {

constexpr Dim rows_together = 2048;
constexpr const char* kBegin = "<s>";
constexpr const char* kEnd = "</s>";

/// One side of a pair, as rows of the model have it.
struct Side {
  const Tokenizer& text;
  Ids ids;
  bool backwards = false;                       // written from right to left
  const NeighbourReader* neighbours = nullptr;  // whose pieces stand beside those of the text
};

std::string name_of(const Side& side, std::int32_t id) {
  const SpecialIds& special = side.text.special();
  if (id == special.end) return kEnd;
  if (id == special.begin) return kBegin;
  return side.neighbours ? side.neighbours->piece(id) : side.text.piece(id);
}

std::vector<std::string> pieces_of(const Side& side) {
  std::vector<std::string> names;
  for (const std::int32_t id : side.ids) names.push_back(name_of(side, id));
  return names;
}

/// The number of the word of each piece, of which the first `own` are the text's; those of
/// neighbours stand alone.
std::vector<Dim> numbers_of_words(const Side& side, std::size_t own) {
  std::vector<Dim> numbers = side.text.words(std::span(side.ids).first(own));
  while (numbers.size() < side.ids.size()) {
    numbers.push_back(numbers.empty() ? 0 : numbers.back() + 1);
  }
  return numbers;
}

WordsOfTokens words_of(const Side& side) {
  if (side.backwards) {  // where a word begins is told by the pieces from left to right
    WordsOfTokens words = words_of({side.text, Ids(side.ids.rbegin(), side.ids.rend())});
    std::reverse(words.word.begin(), words.word.end());
    std::reverse(words.names.begin(), words.names.end());
    for (Dim& word : words.word) word = std::ssize(words.names) - 1 - word;
    return words;
  }
  const std::size_t own = side.neighbours ? side.neighbours->own(side.ids) : side.ids.size();
  WordsOfTokens words{.word = numbers_of_words(side, own), .names = {}};
  for (std::size_t i = 0; i < side.ids.size();) {
    std::size_t next = i;
    while (next < side.ids.size() && words.word[next] == words.word[i]) ++next;
    std::string name;
    if (i < own) name = side.text.decode(std::span(side.ids).subspan(i, next - i));
    words.names.push_back(name.empty() ? name_of(side, side.ids[i]) : name);
    i = next;
  }
  return words;
}

/// The sides of a pair as the model reads and writes them, and the record that they make.
struct RecordedPair {
  Side source, target, prefix;
  RunRecord record;

  RecordedPair(const TranslationModel& model, const IdPair& pair)
      : source{.text = model.source, .ids = pair.source, .neighbours = model.neighbours.get()},
        target{model.target, pair.target},
        prefix{model.target, {}} {
    const bool reverse = model.recipe.objective.direction == TargetDirection::reverse;
    target.backwards = prefix.backwards = reverse;
    if (reverse) std::reverse(target.ids.begin(), target.ids.end());
    prefix.ids = target.ids;
    prefix.ids.insert(prefix.ids.begin(), model.first(reverse));
    target.ids.push_back(model.target.special().end);
    record.task = TranslationModel::name;
    record.input = model.source.decode(model.own(pair.source));
    record.output = model.target.decode(pair.target);
    record.sequences = {{"source", pieces_of(source)}, {"target", pieces_of(target)}};
  }

  RunRecord finished(const TranslationModel& model, const RecordOptions& options) && {
    expect_layers(record, options, model.net.decoder->cross_attention());
    record.align(model.alignment_layer_of(*model.net.decoder), model.alignment_head());
    if (!options.words) return std::move(record);
    return join_words(
        record,
        {{"source", words_of(source)}, {"target", words_of(target)}, {"prefix", words_of(prefix)}},
        options.top_words());
  }
};

}  // namespace

std::vector<RunRecord> records_of(const TranslationModel& model, std::span<const IdPair> pairs,
                                  const RecordOptions& options) {
  FOVEA_CHECK(!model.net.decoder->cross_attention().empty(),
              "look: this model has no attention, there is nothing to look at");
  const AttentionLayers layers = layers_of(*model.net.encoder, *model.net.decoder);
  std::vector<RunRecord> all;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    Dim rows = 0;
    do {
      rows += std::ssize(pairs[end].source) + std::ssize(pairs[end].target);
      ++end;
    } while (end < pairs.size() && rows < rows_together);
    ProbeConfig config = options.probe();
    config.limit *= end - begin;  // it is of one text
    Probe probe(std::move(config));
    keep_always(layers, probe);
    probe_pairs(model, pairs.subspan(begin, end - begin), probe);
    for (std::size_t i = begin; i < end; ++i) {
      RecordedPair pair(model, pairs[i]);
      add_layers(layers, probe, static_cast<Dim>(i - begin), pieces_of(pair.prefix), options,
                 pair.record);
      all.push_back(std::move(pair).finished(model, options));
    }
  }
  return all;
}

bool captured_while_written(const TranslationModel& model, const RecordOptions& options) {
  return model.recipe.objective.direction == TargetDirection::forward &&
         captures_all(layers_of(*model.net.encoder, *model.net.decoder), options);
}

std::optional<RunRecord> record_of(const TranslationModel& model, const Ids& source,
                                   const Hypothesis& target, const RecordOptions& options) {
  if (!target.finished) return {};
  RecordedPair pair(model, {source, target.ids});
  if (!add_captured(target, options, pair.record)) return {};
  return std::move(pair).finished(model, options);
}

}  // namespace fovea
