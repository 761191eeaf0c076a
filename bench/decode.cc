/// Translating 64 sentences with the base model, by greedy search and by a beam of 4. The weights
/// are those that peer_decode.py drew; every sentence is given exactly as many tokens as every
/// other, so that all programs do the same work.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "bench/pairs.h"
#include "bench/workload.h"
#include "fovea/decode/search.h"
#include "fovea/formats/safetensors.h"
#include "fovea/tasks/cached_stepper.h"

namespace fovea::bench {
namespace {

// As in sentences.py.
constexpr Dim vocabulary = 8000;
constexpr std::size_t sentences = 64, batch_size = 32;
constexpr Dim written = 20;
constexpr std::int32_t begin_id = 1, end_id = 2;

/// From the shortest to the longest; ids from 3 on, then the end.
std::vector<Ids> sources() {
  std::vector<Ids> all;
  std::int64_t state = 1;
  for (std::size_t s = 0; s < sentences; ++s) {
    Ids ids;
    for (Dim i = 1; i < multi30k_lengths[s % multi30k_lengths.size()].source; ++i) {
      state = state * 48271 % 2147483647;
      ids.push_back(static_cast<std::int32_t>(3 + state % (vocabulary - 3)));
    }
    ids.push_back(end_id);
    all.push_back(std::move(ids));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Ids& a, const Ids& b) { return a.size() < b.size(); });
  return all;
}

struct Decoding {
  DecodeConfig config;
  std::vector<Ids> all = sources();
  Params params;
  Transformer model;

  explicit Decoding(const DecodeConfig& config)
      : config(config),
        params(SafeTensors::open(files() / "base.safetensors").source(), Use::run),
        model(params.scope(), translator(Preset::base, vocabulary)) {}

  std::vector<Ids> run() const {
    std::vector<Ids> answers;
    for (std::size_t first = 0; first < sentences; first += batch_size) {
      const auto together = std::span(all).subspan(first, batch_size);
      const std::vector<DecodeRequest> requests(batch_size, {.prefix = {begin_id}});
      CachedStepper stepper(model.decoder, encode(model.encoder, joined(together)));
      for (const auto& found : decode(stepper, requests, end_id, config)) {
        answers.push_back(found.front().ids);
      }
    }
    return answers;
  }
};

std::vector<Part> decoding(DecodeConfig config) {
  config.min_length = config.max_length = written;
  auto made = std::make_shared<Decoding>(config);
  return {{.run = [made] { made->run(); }, .answers = made->run()}};
}

}  // namespace

std::vector<Workload> decode_workloads() {
  return {{"decode-greedy", [] { return decoding({.search = Search::greedy}); }},
          {"decode-beam4", [] { return decoding({.search = Search::beam, .beam = 4}); }}};
}

}  // namespace fovea::bench
