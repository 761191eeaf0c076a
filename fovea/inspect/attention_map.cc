#include "fovea/inspect/attention_map.h"

#include <algorithm>

namespace fovea {
namespace {

Dim count_of(std::span<const std::string> names) { return static_cast<Dim>(names.size()); }

void check(const WordsOfTokens& words, Dim tokens, const char* side) {
  const Dim count = count_of(words.names);
  FOVEA_CHECK(static_cast<Dim>(words.word.size()) == tokens, "merge: ", tokens, " ", side,
              ", but words of ", words.word.size(), " tokens");
  for (const Dim word : words.word) {
    FOVEA_CHECK(word >= -1 && word < count, "merge: word ", word, " of the ", side, ", of ", count);
  }
}

}  // namespace

float AttentionMap::largest() const {
  const auto all = weights.span<float>();
  return all.empty() ? 0 : *std::max_element(all.begin(), all.end());
}

void AttentionMap::check() const {
  const Shape expected{count_of(queries), count_of(keys)};
  FOVEA_CHECK(weights.defined() && weights.dtype() == DType::f32 && weights.shape() == expected,
              "attention map '", title, "': ", queries.size(), " queries and ", keys.size(),
              " keys need f32 weights ", expected, ", found ", name_of(weights.dtype()), " ",
              weights.shape());
}

std::vector<AttentionMap> maps_of(const AttentionRecord& record, Dim sequence,
                                  std::span<const std::string> queries,
                                  std::span<const std::string> keys) {
  FOVEA_CHECK(sequence >= 0 && sequence < record.sequences(), "maps: ", record.layer, " saw ",
              record.sequences(), " sequences; asked for ", sequence);
  const Dim q = record.queries.length(sequence), k = record.keys.length(sequence);
  FOVEA_CHECK(q == count_of(queries) && k == count_of(keys), "maps: ", record.layer, " saw ", q,
              " queries and ", k, " keys, but ", queries.size(), " and ", keys.size(),
              " have names; give each kind of layer the names of its own queries and keys");
  const auto [first, last] = record.chosen(sequence);
  const auto chosen =
      queries.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  std::vector<AttentionMap> out;
  for (std::size_t h = 0; h < record.heads.size(); ++h) {
    out.push_back({.title = concat(record.layer, " head ", record.heads[h]),
                   .queries = {chosen.begin(), chosen.end()},
                   .keys = {keys.begin(), keys.end()},
                   .weights = record.matrix(sequence, static_cast<Dim>(h)).to(DType::f32)});
  }
  return out;
}

std::vector<AttentionMap> maps_of(const Probe& probe, Dim sequence,
                                  std::span<const std::string> queries,
                                  std::span<const std::string> keys) {
  std::vector<AttentionMap> out;
  for (const AttentionRecord& record : probe.records()) {
    if (record.keep != Keep::all) continue;
    std::vector<AttentionMap> maps = maps_of(record, sequence, queries, keys);
    std::move(maps.begin(), maps.end(), std::back_inserter(out));
  }
  return out;
}

AttentionMap mean_of(std::span<const AttentionMap> maps, std::string title) {
  FOVEA_CHECK(!maps.empty(), "mean of attention maps: there are none");
  const AttentionMap& first = maps.front();
  Tensor sum = Tensor::zeros(first.weights.shape());
  for (const AttentionMap& map : maps) {
    map.check();
    FOVEA_CHECK(map.queries == first.queries && map.keys == first.keys, "mean of attention maps: '",
                map.title, "' and '", first.title, "' have other queries or keys");
    add_to(sum, map.weights);
  }
  float* out = sum.mutable_data<float>();
  for (Dim i = 0; i < sum.size(); ++i) out[i] /= static_cast<float>(maps.size());
  return {.title = std::move(title), .queries = first.queries, .keys = first.keys, .weights = sum};
}

AttentionMap merge(const AttentionMap& map, const WordsOfTokens& queries,
                   const WordsOfTokens& keys) {
  map.check();
  check(queries, map.weights.rows(), "queries");
  check(keys, map.weights.cols(), "keys");
  Tensor out = Tensor::zeros({count_of(queries.names), count_of(keys.names)});
  const auto to = out.mutable_view<float>();
  std::vector<float> tokens(queries.names.size(), 0);
  for (Dim i = 0; i < map.weights.rows(); ++i) {
    const Dim query = queries.word[static_cast<std::size_t>(i)];
    if (query < 0) continue;
    ++tokens[static_cast<std::size_t>(query)];
    for (Dim j = 0; j < map.weights.cols(); ++j) {
      const Dim key = keys.word[static_cast<std::size_t>(j)];
      if (key >= 0) to[query][key] += map.weight(i, j);
    }
  }
  for (Dim q = 0; q < out.rows(); ++q) {
    const float count = std::max(tokens[static_cast<std::size_t>(q)], 1.0f);
    for (Dim k = 0; k < out.cols(); ++k) to[q][k] /= count;
  }
  return {.title = map.title, .queries = queries.names, .keys = keys.names, .weights = out};
}

std::vector<std::pair<Dim, Dim>> hard_alignment(const AttentionMap& map) {
  map.check();
  std::vector<std::pair<Dim, Dim>> out;
  for (Dim i = 0; i < map.weights.rows(); ++i) {
    Dim best = -1;
    for (Dim j = 0; j < map.weights.cols(); ++j) {
      if (map.weight(i, j) > (best < 0 ? 0 : map.weight(i, best))) best = j;
    }
    if (best >= 0) out.emplace_back(i, best);
  }
  return out;
}

}  // namespace fovea
