// Small random models as ONNX files, with what Fovea computes from some texts: onnx_cases FOLDER
//
// For each case <name>.onnx and <name>.safetensors, which holds
//   ids, lengths, kinds   texts, one after the other; `kinds` where the model is told them
//   <output>              what the model gives for it: a row for each token, or for each text
// A translator's decoder also has
//   sources, source_lengths, states   what the encoder read and gave
// tests/onnx/check.py pads the texts on either side and compares what onnxruntime computes.
#include <cstdio>

#include "fovea/formats/safetensors.h"
#include "fovea/onnx/text_models.h"
#include "fovea/onnx/translator.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

constexpr Dim kVocabulary = 23;

/// Larger than models are drawn, so that attention is far from even, and no zeros in biases.
void stir(Params& params) {
  for (Parameter& parameter : params.all()) {
    const Draws draws = Rng{.seed = std::hash<std::string>()(parameter.name)}.next();
    float* at = parameter.var.mutable_value().mutable_data<float>();
    for (Dim i = 0; i < parameter.var.value().size(); ++i) {
      at[i] = at[i] * 1.5F +
              0.2F * (static_cast<float>(draws.uniform(static_cast<std::uint64_t>(i))) - 0.5F);
    }
  }
}

TextRows some_texts(Dim kinds) {
  const std::vector<Dim> lengths = {5, 1, 9, 3};
  Tensor ids = Tensor::empty({18}, DType::i32), kind = Tensor::empty({18}, DType::i32);
  for (Dim i = 0; i < ids.size(); ++i) {
    ids.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>((7 * i + 3) % kVocabulary);
    kind.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(kinds > 0 ? i / 3 % kinds : 0);
  }
  return {{ids, Segments::of_lengths(lengths)}, kinds > 1 ? kind : Tensor()};
}

Tensor lengths_of(const Segments& segments) {
  std::vector<Dim> lengths;
  for (Dim s = 0; s < segments.count(); ++s) lengths.push_back(segments.length(s));
  return Tensor::from<Dim>({segments.count()}, lengths);
}

struct Case {
  fs::path folder;
  std::string name;

  template <class Model>
  void write(Params& params, const Model& model, const TextRows& rows,
             std::vector<NamedTensor> expected) const {
    onnx::Graph graph(params);
    onnx::add_model(graph, model);
    graph.write(folder / (name + ".onnx"));
    expected.push_back({"ids", rows.tokens.ids});
    expected.push_back({"lengths", lengths_of(rows.tokens.segments)});
    if (rows.kinds.defined()) expected.push_back({"kinds", rows.kinds});
    write_safetensors(folder / (name + ".safetensors"), expected);
    std::printf("%s\n", name.c_str());
  }
};

TextEncoderConfig small_encoder() {
  TextEncoderConfig c;
  c.vocabulary = kVocabulary, c.layers = 2, c.width = 16, c.hidden = 24, c.heads = 4;
  c.longest = 12;
  return c;
}

Tensor all_rows(const Segments& segments) {
  Tensor rows = Tensor::empty({segments.rows()}, DType::i32);
  for (Dim r = 0; r < rows.size(); ++r) {
    rows.mutable_data<std::int32_t>()[r] = static_cast<std::int32_t>(r);
  }
  return rows;
}

void masked_case(const Case& to, const TextEncoderConfig& encoder) {
  Params params(1);
  const MaskedModel model(params.scope(), {.encoder = encoder});
  stir(params);
  const TextRows rows = some_texts(encoder.kinds);
  const Var h = (*model.encoder)(rows, {});
  to.write(params, model, rows,
           {{"logits", model.logits(model.hidden(h, all_rows(rows.tokens.segments))).value()}});
}

void language_case(const Case& to, LanguageModelConfig config) {
  config.causal = true;
  Params params(1);
  const LanguageModel model(params.scope(), config);
  stir(params);
  const TextRows rows = some_texts(0);
  to.write(params, model, rows, {{"logits", model.out.logits(model(rows.tokens, {})).value()}});
}

/// Every setting of a layer, with the head that costs least to compare.
void encoder_cases(const fs::path& folder) {
  const auto with = [&](const std::string& name,
                        const std::function<void(TextEncoderConfig&)>& set) {
    TextEncoderConfig c = small_encoder();
    set(c);
    masked_case({folder, "mask." + name}, c);
  };
  with("pre", [](auto&) {});
  with("bert", [](auto& c) {
    c.norm = NormPlace::post, c.input_norm = true, c.norm_eps = 1e-12, c.kinds = 2;
  });
  with("one_kind", [](auto& c) { c.kinds = 1; });
  with("rms", [](auto& c) { c.norm_kind = NormKind::rms, c.norm_eps = 1e-6; });
  with("sinusoidal", [](auto& c) { c.positions = Positions::sinusoidal; });
  with("sinusoidal_halves", [](auto& c) { c.positions = Positions::sinusoidal_halves; });
  with("rotary", [](auto& c) { c.positions = Positions::rotary; });
  with("relative", [](auto& c) { c.positions = Positions::relative; });
  with("relation_aware", [](auto& c) { c.positions = Positions::relation_aware; });
  with("shared_heads", [](auto& c) { c.kv_heads = 2, c.positions = Positions::rotary; });
  with("one_key_head", [](auto& c) { c.kv_heads = 1; });
  with("no_bias", [](auto& c) { c.bias = false; });
  with("gelu_tanh", [](auto& c) { c.activation = Activation::gelu_tanh; });
  with("relu", [](auto& c) { c.activation = Activation::relu; });
  with("silu_gated", [](auto& c) { c.activation = Activation::silu, c.gated = true; });
  with("gelu_gated", [](auto& c) { c.gated = true; });
}

void language_cases(const fs::path& folder) {
  LanguageModelConfig gpt;
  static_cast<TextEncoderConfig&>(gpt) = small_encoder();
  gpt.activation = Activation::gelu_tanh;
  language_case({folder, "language.gpt2"}, gpt);
  LanguageModelConfig llama = gpt;
  llama.positions = Positions::rotary, llama.rotary_base = 500000;
  llama.norm_kind = NormKind::rms, llama.norm_eps = 1e-6;
  llama.activation = Activation::silu, llama.gated = true, llama.bias = false;
  llama.kv_heads = 2, llama.tied = false;
  language_case({folder, "language.llama"}, llama);
}

void pooling_cases(const fs::path& folder) {
  for (const TextPooling pooling : {TextPooling::first, TextPooling::first_row, TextPooling::mean,
                                    TextPooling::max, TextPooling::attention}) {
    const std::string name(names_of(pooling)[static_cast<std::size_t>(pooling)]);
    const TextRows rows = some_texts(0);
    {
      Params params(1);
      const SentenceEncoder model(params.scope(), {.encoder = small_encoder(),
                                                   .pooling = pooling,
                                                   .normalise = pooling != TextPooling::max});
      stir(params);
      Case{folder, "embed." + name}.write(
          params, model, rows,
          {{"sentence_embedding", model(rows, {}).value()},
           {"token_embeddings", (*model.encoder)(rows, {}).value()}});
    }
    Params params(1);
    TextClassifierConfig config;
    config.family = ClassifierFamily::encoder;
    config.vocabulary = kVocabulary, config.classes = 3;
    config.encoder = small_encoder(), config.pooling = pooling;
    const EncoderClassifier model(params.scope(), config);
    stir(params);
    const Segments& segments = rows.tokens.segments;
    const TextBatch batch = {
        rows.tokens,
        Segments::uniform(segments.count(), 1),
        {Tensor::empty({0}, DType::i32), Segments::uniform(segments.count(), 0)}};
    Case{folder, "classify." + name}.write(params, model, rows,
                                           {{"logits", model.logits(batch, {}).value()}});
  }
}

void tag_case(const fs::path& folder) {
  Params params(1);
  TaggerConfig config;
  static_cast<TextEncoderConfig&>(config) = small_encoder();
  config.tags = 5, config.intents = 3, config.crf = true;
  const Tagger model(params.scope(), config);
  stir(params);
  const TextRows rows = some_texts(0);
  const Tagger::Scores scores = model({rows, rows.tokens.segments, {}}, {});
  Case{folder, "tag"}.write(params, model, rows,
                            {{"logits", scores.tags.value()},
                             {"intent_logits", scores.intents.value()},
                             {"transitions", model.field()->transitions.value()},
                             {"begin", model.field()->begin.value()},
                             {"end", model.field()->end.value()}});
}

void span_case(const fs::path& folder) {
  Params params(1);
  const Answerer model(params.scope(), {.kind = AnswerKind::span, .encoder = small_encoder()});
  stir(params);
  const Ids question = {4, 5, 6}, other = {9}, text = {7, 5, 8, 12, 3},
            long_text = {3, 9, 4, 11, 13, 6, 20};
  const std::vector<AnswerPair> pairs = {{question, text}, {other, long_text}};
  const TextRows rows = model.rows_of(pairs);
  const Var logits = model.out((*model.encoder)(rows, {}));
  std::vector<float> columns[2];
  for (Dim r = 0; r < logits.rows(); ++r) {
    for (int c = 0; c < 2; ++c) columns[c].push_back(logits.value().view<float>()[r][c]);
  }
  const auto column = [&](int c) {
    return Tensor::from<float>({logits.rows()}, std::span<const float>(columns[c]));
  };
  Case{folder, "answer"}.write(params, model, rows,
                               {{"start_logits", column(0)}, {"end_logits", column(1)}});
}

void translator_case(const fs::path& folder, const std::string& name,
                     const std::function<void(TransformerConfig&)>& set) {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = kVocabulary;
  config.encoder_layers = config.decoder_layers = 2;
  config.width = 16, config.heads = 4, config.hidden = 24;
  set(config);
  Params params(1);
  const Transformer model(params.scope(), config);
  stir(params);
  const Sequences sources = some_texts(0).tokens;
  const Sequences targets = joined(std::vector<Ids>{{1, 4, 8}, {1}, {1, 9, 3, 17}, {1, 2}});
  const Encoded encoded = model.encoder(sources, {});
  const Tensor logits = model.decoder.last.logits(model.decoder(targets, encoded, {})).value();
  onnx::Graph encoder(params), decoder(params);
  onnx::add_encoder(encoder, model.encoder);
  onnx::add_decoder(decoder, model.decoder);
  encoder.write(folder / (name + ".encoder.onnx"));
  decoder.write(folder / (name + ".decoder.onnx"));
  const Tensor states = encoded.rows.value(), lengths = lengths_of(sources.segments);
  const std::vector<NamedTensor> of_encoder = {
      {"ids", sources.ids}, {"lengths", lengths}, {"last_hidden_state", states}};
  const std::vector<NamedTensor> of_decoder = {{"ids", targets.ids},
                                               {"lengths", lengths_of(targets.segments)},
                                               {"source_lengths", lengths},
                                               {"states", states},
                                               {"logits", logits}};
  write_safetensors(folder / (name + ".encoder.safetensors"), of_encoder);
  write_safetensors(folder / (name + ".decoder.safetensors"), of_decoder);
  std::printf("%s\n", name.c_str());
}

void all_cases(const fs::path& folder) {
  const NoTape no_tape;
  fs::create_directories(folder);
  encoder_cases(folder);
  language_cases(folder);
  pooling_cases(folder);
  tag_case(folder);
  span_case(folder);
  translator_case(folder, "translate.post", [](auto&) {});
  translator_case(folder, "translate.pre", [](auto& c) {
    c.norm = NormPlace::pre, c.tied = Tied::none, c.activation = Activation::silu;
  });
  translator_case(folder, "translate.rotary",
                  [](auto& c) { c.positions = Positions::rotary, c.tied = Tied::all; });
}

}  // namespace
}  // namespace fovea

int main(int count, char** values) {
  if (count != 2) {
    std::fprintf(stderr, "usage: onnx_cases FOLDER\n");
    return 2;
  }
  try {
    fovea::all_cases(values[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "onnx_cases: %s\n", error.what());
    return 1;
  }
  return 0;
}
