#include "fovea/inspect/join_words.h"

#include <algorithm>
#include <numeric>

namespace fovea {
namespace {

using Words = std::map<std::string, WordsOfTokens>;

void check(const WordsOfTokens& words, const RunRecord::Sequence& sequence) {
  FOVEA_CHECK(words.word.size() == sequence.tokens.size(), "join: '", sequence.name, "' has ",
              sequence.tokens.size(), " tokens, but words are of ", words.word.size());
  for (const Dim word : words.word) {
    FOVEA_CHECK(word >= -1 && word < std::ssize(words.names), "join: word ", word, " of '",
                sequence.name, "', of ", words.names.size());
  }
}

/// The word of each token of a sequence, and how many there are; tokens that are not joined are
/// words themselves.
struct Joined {
  std::vector<Dim> word;
  Dim count = 0;

  Joined(const Words& words, const std::string& sequence, std::size_t tokens) {
    if (const auto at = words.find(sequence); at != words.end()) {
      word = at->second.word;
      count = std::ssize(at->second.names);
    } else {
      word.resize(tokens);
      std::iota(word.begin(), word.end(), 0);
      count = static_cast<Dim>(tokens);
    }
  }
  Dim operator[](Dim token) const { return word[static_cast<std::size_t>(token)]; }
};

/// The largest `top` of a row, in the form of Keep::top.
void keep_top(std::span<const float> row, Dim top, RunRecord::Layer& to) {
  std::vector<std::int32_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  const auto kept = std::min(static_cast<std::size_t>(top), order.size());
  const auto weight = [&](std::int32_t key) { return row[static_cast<std::size_t>(key)]; };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](std::int32_t a, std::int32_t b) {
                      return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
                    });
  for (std::size_t i = 0; i < static_cast<std::size_t>(top); ++i) {
    const bool some = i < kept && weight(order[i]) > 0;
    to.weights.push_back(some ? weight(order[i]) : 0);
    to.top_keys.push_back(some ? order[i] : -1);
  }
}

RunRecord::Layer joined_layer(const RunRecord::Layer& layer, const Words& words, Dim top) {
  const Joined queries(words, layer.queries, static_cast<std::size_t>(layer.rows));
  const Joined keys(words, layer.keys, static_cast<std::size_t>(layer.cols));
  RunRecord::Layer out = layer;
  out.rows = queries.count;
  out.cols = keys.count;
  out.weights.clear();
  out.top_keys.clear();
  if (layer.keep == Keep::all && top > 0) out.keep = Keep::top, out.top = top;
  std::vector<float> tokens(static_cast<std::size_t>(out.rows), 0);
  for (const Dim word : queries.word) {
    if (word >= 0) ++tokens[static_cast<std::size_t>(word)];
  }
  const auto cols = static_cast<std::size_t>(out.cols);
  for (Dim h = 0; h < layer.head_count(); ++h) {
    std::vector<float> sums(static_cast<std::size_t>(out.rows) * cols, 0);
    for (Dim q = 0; q < layer.rows; ++q) {
      if (queries[q] < 0) continue;
      const auto word = static_cast<std::size_t>(queries[q]);
      layer.visit(h, q, [&](Dim key, float weight) {
        if (keys[key] < 0) return;
        sums[word * cols + static_cast<std::size_t>(keys[key])] += weight / tokens[word];
      });
    }
    if (out.keep == Keep::all) {
      out.weights.insert(out.weights.end(), sums.begin(), sums.end());
      continue;
    }
    for (std::size_t row = 0; row < static_cast<std::size_t>(out.rows); ++row) {
      keep_top(std::span(sums).subspan(row * cols, cols), out.top, out);
    }
  }
  return out;
}

}  // namespace

RunRecord join_words(const RunRecord& record, const Words& words, Dim top) {
  for (const RunRecord::Places& places : record.places) {
    FOVEA_CHECK(!words.contains(places.sequence), "run: the tokens of '", places.sequence,
                "' have places in '", places.medium, "' and cannot be joined to words");
  }
  RunRecord out = record;
  for (RunRecord::Sequence& sequence : out.sequences) {
    const auto at = words.find(sequence.name);
    if (at == words.end()) continue;
    check(at->second, sequence);
    sequence.tokens = at->second.names;
  }
  for (RunRecord::Layer& layer : out.layers) layer = joined_layer(layer, words, top);
  for (RunRecord::Halting& halting : out.halting) {
    const Joined of(words, halting.sequence, halting.steps.size());
    std::vector<float> steps(static_cast<std::size_t>(of.count), 0);
    for (std::size_t i = 0; i < halting.steps.size(); ++i) {
      if (of.word[i] < 0) continue;
      float& slowest = steps[static_cast<std::size_t>(of.word[i])];
      slowest = std::max(slowest, halting.steps[i]);
    }
    halting.steps = std::move(steps);
  }
  for (RunRecord::Samples& samples : out.samples) {
    const RunRecord::Layer& layer = record.layer(samples.layer);
    const Joined queries(words, layer.queries, static_cast<std::size_t>(layer.rows));
    const Joined keys(words, layer.keys, static_cast<std::size_t>(layer.cols));
    std::vector<std::vector<Dim>> drawn(static_cast<std::size_t>(queries.count));
    for (std::size_t q = 0; q < samples.keys.size(); ++q) {
      if (queries.word[q] < 0) continue;
      for (const Dim key : samples.keys[q]) {
        if (keys[key] >= 0) drawn[static_cast<std::size_t>(queries.word[q])].push_back(keys[key]);
      }
    }
    samples.keys = std::move(drawn);
  }
  return out;
}

}  // namespace fovea
