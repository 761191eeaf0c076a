#include "pronounce/model.h"

#include <numeric>

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/nn/positions.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"

namespace pronounce {

using namespace fovea;

Sequences joined(std::span<const Ids> sequences) {
  std::vector<Dim> lengths;
  Ids ids;
  for (const Ids& sequence : sequences) {
    lengths.push_back(static_cast<Dim>(sequence.size()));
    ids.insert(ids.end(), sequence.begin(), sequence.end());
  }
  return {Tensor::from<std::int32_t>({static_cast<Dim>(ids.size())}, ids),
          Segments::of_lengths(lengths)};
}

Model::Model(Scope s, const ModelConfig& c)
    : config(c),
      letters(s / "letters", c.letters, c.width, {.scaled = true}),
      sounds(s / "sounds", c.sounds, c.width, {.scaled = true}),
      encoder_norm(s / "encoder_norm", c.width),
      decoder_norm(s / "decoder_norm", c.width),
      out(s / "out", c.width, c.sounds) {
  const TransformerLayerConfig layer = {.attention = {.width = c.width, .heads = c.heads},
                                        .hidden = c.hidden,
                                        .norm = NormPlace::pre,
                                        .dropout = c.dropout};
  for (Dim i = 0; i < c.layers; ++i) {
    encoder.emplace_back(s / "encoder" / i, layer);
    decoder.emplace_back(s / "decoder" / i, layer);
  }
}

Var Model::encode(const Sequences& words, const Pass& pass) const {
  const Tensor places = sinusoidal(positions_of(words.segments), config.width);
  Var x = dropout(add(letters(words.ids), places), config.dropout, pass.rng);  // (M, W)
  for (const EncoderLayer& layer : encoder) x = layer(x, words.segments, pass);
  return encoder_norm(x);
}

Var Model::decode(const Sequences& spoken, const Var& memory, const Segments& words,
                  const Pass& pass) const {
  std::vector<Dim> seen(static_cast<std::size_t>(spoken.segments.count()), 0);
  for (std::size_t i = 0; pass.cache && i < seen.size(); ++i) {
    seen[i] = pass.cache->length(static_cast<Dim>(i));
  }
  const Tensor places = sinusoidal(positions_of(spoken.segments, seen), config.width);
  Var x = dropout(add(sounds(spoken.ids), places), config.dropout, pass.rng);  // (N, W)
  for (const DecoderLayer& layer : decoder) x = layer(x, spoken.segments, {memory, words}, pass);
  return decoder_norm(x);
}

std::vector<Ids> pronounce_greedily(const Model& model, std::span<const Ids> words) {
  const NoTape no_tape;
  const Sequences letters = joined(words);
  const Var memory = model.encode(letters, {});
  const Dim longest = 2 * letters.segments.longest() + 8;  // CMUdict has none so long

  std::vector<Ids> spoken(words.size());
  std::vector<Dim> open(words.size());  // the words that go on, as the cache has them
  std::iota(open.begin(), open.end(), 0);
  Ids last(words.size(), Dictionary::mark);
  Cache cache(static_cast<Dim>(words.size()));
  for (Dim step = 0; step < longest && !open.empty(); ++step) {
    const auto count = static_cast<Dim>(open.size());
    const Sequences rows = {Tensor::from<std::int32_t>({count}, last), Segments::uniform(count, 1)};
    const Var h = model.decode(rows, memory, letters.segments, {.cache = &cache});
    const Tensor best = argmax(model.out(h).value());  // (open words)
    std::vector<Dim> going, still;
    last.clear();
    for (Dim i = 0; i < count; ++i) {
      const std::int32_t sound = best.data<std::int32_t>()[i];
      if (sound == Dictionary::mark) continue;
      const Dim word = open[static_cast<std::size_t>(i)];
      spoken[static_cast<std::size_t>(word)].push_back(sound);
      last.push_back(sound);
      going.push_back(i);
      still.push_back(word);
    }
    if (going.size() < open.size()) cache.select(going);
    open = std::move(still);
  }
  return spoken;
}

Tensor attention_of(const Model& model, const Ids& letters, const Ids& sounds) {
  const NoTape no_tape;
  const Sequences word = joined({&letters, 1});
  Ids before = sounds;  // each row has heard the sounds before its own
  before.insert(before.begin(), Dictionary::mark);
  before.pop_back();
  const std::string& layer = model.decoder.back().cross.name;
  Probe probe({.where = layer});
  model.decode(joined({&before, 1}), model.encode(word, {}), word.segments, {.probe = &probe});

  const AttentionRecord& record = *probe.find(layer);
  Tensor mean = Tensor::zeros({static_cast<Dim>(sounds.size()), word.segments.rows()});
  for (Dim h = 0; h < model.config.heads; ++h) add_to(mean, record.matrix(0, h));
  for (Dim i = 0; i < mean.size(); ++i) {
    mean.mutable_data<float>()[i] /= static_cast<float>(model.config.heads);
  }
  return mean;
}

}  // namespace pronounce
