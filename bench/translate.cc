/// A step of training of a whole translator: forward, loss, backward, Adam.
#include <memory>

#include "bench/pairs.h"
#include "bench/workload.h"
#include "fovea/autograd/backward.h"
#include "fovea/models/recurrent_translator.h"
#include "fovea/ops/loss.h"
#include "fovea/train/optimizers.h"

namespace fovea::bench {
namespace {

/// Ids that nobody reads, below `vocabulary`.
Sequences some_ids(std::span<const Dim> lengths, Dim vocabulary) {
  const Segments segments = Segments::of_lengths(lengths);
  Tensor ids = Tensor::empty({segments.rows()}, DType::i32);
  for (Dim i = 0; i < ids.size(); ++i) {
    ids.mutable_data<std::int32_t>()[i] =
        static_cast<std::int32_t>(3 + 7919 * i % (vocabulary - 3));
  }
  return {ids, segments};
}

/// The 32 pairs over and over, as many as have at most so many rows.
Pairs pairs(Dim rows, Dim vocabulary) {
  std::vector<Dim> sources, targets;
  for (std::size_t i = 0;; ++i) {
    const PairLength next = multi30k_lengths[i % multi30k_lengths.size()];
    rows -= next.source + next.target;
    if (rows < 0) break;
    sources.push_back(next.source);
    targets.push_back(next.target);
  }
  const Sequences read = some_ids(targets, vocabulary);
  return {some_ids(sources, vocabulary), read, read.ids};
}

/// Bahdanau et al. 2015, of the size of recipes/multi30k-de-en-bahdanau.
struct Bahdanau {
  RecurrentEncoder encoder;
  RecurrentDecoder decoder;

  static RecurrentTranslatorConfig config(Dim vocabulary) {
    RecurrentTranslatorConfig c;
    c.source_vocabulary = c.target_vocabulary = vocabulary;
    c.embedding = c.hidden = 256;
    return c;
  }
  Bahdanau(Scope s, const RecurrentTranslatorConfig& config)
      : encoder(s / "encoder", config), decoder(s / "decoder", config) {}
};

template <class Model, class Config>
struct Training {
  Pairs batch;
  Params params;
  Model model;
  Adam adam;
  Rng rng = {.seed = 1};

  Training(const Config& config, Dim rows)
      : batch(pairs(rows, config.source_vocabulary)),
        params(/*seed=*/1),
        model(params.scope(), config),
        adam(params, {.beta2 = 0.98, .eps = 1e-9}) {}

  void step() {
    const Var loss = loss_of(model.encoder, model.decoder, batch, {.rng = &rng});
    adam.step(backward(loss), 1e-4);
  }
};
using TransformerTraining = Training<Transformer, TransformerConfig>;
using BahdanauTraining = Training<Bahdanau, RecurrentTranslatorConfig>;

constexpr Dim once = 939;  // rows of the 32 pairs

std::vector<Part> training(Preset preset, Dim vocabulary, Dim rows) {
  auto made = std::make_shared<TransformerTraining>(translator(preset, vocabulary), rows);
  return {{.run = [made] { made->step(); }}};
}
std::vector<Part> bahdanau() {
  auto made = std::make_shared<BahdanauTraining>(Bahdanau::config(6000), 2048);
  return {{.run = [made] { made->step(); }}};
}
std::vector<Part> base() { return training(Preset::base, 8000, once); }
std::vector<Part> tiny() { return training(Preset::tiny, 6000, 4096); }

std::vector<Part> with_memory(std::vector<Part> (*make)()) {
  TransformerConfig small = translator(Preset::tiny, 100);
  small.encoder_layers = small.decoder_layers = 1;
  TransformerTraining(small, 100).step();
  begin_growth();
  return make();
}

}  // namespace

Var loss_of(const Encoder& encoder, const Decoder& decoder, const Pairs& batch, const Pass& pass) {
  const Var h = decoder(batch.targets, encoder(batch.sources, pass), pass);  // (N, W)
  const OutputLayer& out = decoder.out();
  return linear_cross_entropy(h, out.weight, out.bias, batch.wanted, {.smoothing = 0.1});
}

TransformerConfig translator(Preset preset, Dim vocabulary) {
  TransformerConfig c = TransformerConfig::preset(preset);
  c.source_vocabulary = c.target_vocabulary = vocabulary;
  c.tied = Tied::all;
  c.attention_dropout = c.activation_dropout = c.dropout;
  return c;
}

std::vector<Workload> translate_workloads() {
  return {{"transformer-base-step", base},
          {"transformer-base-memory", [] { return with_memory(base); }},
          {"transformer-tiny-step", tiny},
          {"transformer-tiny-memory", [] { return with_memory(tiny); }},
          {"bahdanau-step", bahdanau}};
}

}  // namespace fovea::bench
