/// What a probe saw, with names on both sides: what every picture draws.
///
///   Probe probe({.where = "decoder.*.cross"});
///   model(batch, {.probe = &probe});
///   const auto maps = maps_of(probe, 0, target_words, source_words);
///   std::cout << terminal_map(mean_of(maps));
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/attention/probe.h"

namespace fovea {

/// Weights of some queries over some keys.
struct AttentionMap {
  std::string title;
  std::vector<std::string> queries, keys;
  Tensor weights;  // (queries, keys) f32, from 0 to 1

  float weight(Dim query, Dim key) const { return weights.view<float>()[query][key]; }
  float largest() const;
  /// Throws unless the names fit the weights.
  void check() const;
};

/// One map for each head of a record of Keep::all, of one sequence of the batch. The names are
/// those of the whole sequence, also where the probe kept only some of its queries. Titles are such
/// as "decoder.3.cross head 2".
std::vector<AttentionMap> maps_of(const AttentionRecord& record, Dim sequence,
                                  std::span<const std::string> queries,
                                  std::span<const std::string> keys);
/// Of all records of Keep::all in a probe that watched layers with the same queries and keys.
std::vector<AttentionMap> maps_of(const Probe& probe, Dim sequence,
                                  std::span<const std::string> queries,
                                  std::span<const std::string> keys);

/// The average of maps of the same queries and keys: over heads, over layers.
AttentionMap mean_of(std::span<const AttentionMap> maps, std::string title = "mean");

/// The words that tokens make up.
struct WordsOfTokens {
  std::vector<Dim> word;           // of each token; -1: of none, it is left out
  std::vector<std::string> names;  // of the words
};

/// From subwords to words: what the keys of a word received is summed, what the queries of a word
/// gave is averaged, so that rows still sum to 1 (less what left-out keys received).
AttentionMap merge(const AttentionMap& map, const WordsOfTokens& queries,
                   const WordsOfTokens& keys);

/// For each query the key with the largest weight, the first of equals: (query, key). A query that
/// saw nothing (all weights 0) has none.
std::vector<std::pair<Dim, Dim>> hard_alignment(const AttentionMap& map);

}  // namespace fovea
