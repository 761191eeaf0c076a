/// Models that are only run: encoders of texts of the shapes of MiniLM and BERT, language models of
/// the shapes of GPT-2 small and of a small Llama that write one text. The weights are those that
/// models.py drew.
#include <memory>
#include <numeric>

#include "bench/workload.h"
#include "fovea/decode/search.h"
#include "fovea/formats/safetensors.h"
#include "fovea/models/language_model.h"
#include "fovea/tasks/language/language_stepper.h"

namespace fovea::bench {
namespace {

// As in models.py.
constexpr Dim prompt = 16, written = 48;

/// Ids from 3 on.
Ids ids_of(Dim count, Dim vocabulary) {
  Ids ids;
  std::int64_t state = 1;
  for (Dim i = 0; i < count; ++i) {
    state = state * 48271 % 2147483647;
    ids.push_back(static_cast<std::int32_t>(3 + state % (vocabulary - 3)));
  }
  return ids;
}

/// Parameters of a file, as those who only run them take them.
Params params_of(std::string_view name) {
  return Params(SafeTensors::open(files() / concat(name, ".safetensors")).source(), Use::run);
}

// --- encoders
// --------------------------------------------------------------------------------------

TextEncoderConfig bert(Dim layers, Dim width) {
  TextEncoderConfig c;
  c.vocabulary = 30522, c.layers = layers, c.width = width, c.hidden = 4 * width, c.heads = 12;
  c.norm = NormPlace::post, c.norm_eps = 1e-12, c.input_norm = true, c.kinds = 2, c.dropout = 0;
  return c;
}

struct Encoding {
  Params params;
  std::unique_ptr<TextEncoder> encoder;

  Encoding(std::string_view name, const TextEncoderConfig& config)
      : params(params_of(name)), encoder(TextEncoder::make(params.scope(), config)) {}

  Tensor run(const Sequences& texts) const {
    const NoTape no_tape;
    return (*encoder)({.tokens = texts}, {}).value();
  }
};

Sequences texts_of(const Segments& segments, const TextEncoderConfig& config) {
  const Ids ids = ids_of(segments.rows(), config.vocabulary);
  return {Tensor::from<std::int32_t>({segments.rows()}, ids), segments};
}

/// The first number of each row.
std::vector<float> first_column(const Tensor& rows) {
  std::vector<float> column;
  for (Dim r = 0; r < rows.rows(); ++r) column.push_back(rows.view<float>()[r][0]);
  return column;
}

std::vector<Part> encoding(std::string_view name, const TextEncoderConfig& config,
                           const Segments& segments) {
  auto made = std::make_shared<Encoding>(name, config);
  const Sequences texts = texts_of(segments, config);
  return {{.run = [made, texts] { made->run(texts); }, .values = first_column(made->run(texts))}};
}

std::vector<Workload> encoder_workloads(const std::string& name, const TextEncoderConfig& config) {
  const auto one = [] { return Segments::uniform(1, 128); };
  const auto load = [=] { Encoding(name, config).run(texts_of(one(), config)); };
  return {{name + "-1x128", [=] { return encoding(name, config, one()); }},
          {name + "-32", [=] { return encoding(name, config, real_lengths(32)); }},
          {name + "-load", [=] { return std::vector<Part>{{.run = load}}; }},
          {name + "-memory", [=] {
             begin_growth();
             return encoding(name, config, one());
           }}};
}

// --- language models
// -------------------------------------------------------------------------------

LanguageModelConfig gpt2() {
  LanguageModelConfig c;
  c.layers = c.heads = 12, c.width = 768, c.hidden = 3072, c.dropout = 0;
  c.vocabulary = 50257, c.longest = 1024, c.activation = Activation::gelu_tanh;
  return c;
}

LanguageModelConfig llama() {
  LanguageModelConfig c;
  c.layers = c.heads = 12, c.kv_heads = 4, c.width = 768, c.hidden = 2048, c.dropout = 0;
  c.vocabulary = 32000, c.activation = Activation::silu, c.gated = true, c.bias = false;
  c.norm_kind = NormKind::rms, c.positions = Positions::rotary, c.tied = false;
  return c;
}

struct Writing {
  Params params;
  LanguageModel model;
  DecodeRequest request;

  Writing(std::string_view name, const LanguageModelConfig& config)
      : params(params_of(name)),
        model(params.scope(), config),
        request{.prefix = ids_of(prompt, config.vocabulary), .control = 0} {}

  Ids run(Dim count) const {
    LanguageStepper stepper(model, 1, 0);
    const DecodeConfig config = {.search = Search::greedy, .max_length = prompt + count};
    return decode(stepper, {&request, 1}, no_end, config).front().front().ids;
  }
};

std::vector<Part> writing(std::string_view name, const LanguageModelConfig& config) {
  auto made = std::make_shared<Writing>(name, config);
  Ids ids = made->run(written);
  ids.erase(ids.begin(), ids.begin() + prompt);
  return {{.run = [made] { made->run(written); }, .answers = {ids}}};
}

std::vector<Workload> writer_workloads(const std::string& name, const LanguageModelConfig& config) {
  const auto load = [=] { Writing(name, config).run(1); };
  return {{name + "-generate", [=] { return writing(name, config); }},
          {name + "-load", [=] { return std::vector<Part>{{.run = load}}; }},
          {name + "-memory", [=] {
             begin_growth();
             return writing(name, config);
           }}};
}

}  // namespace

std::vector<Workload> infer_workloads() {
  std::vector<Workload> all;
  for (const auto& family :
       {encoder_workloads("minilm", bert(6, 384)), encoder_workloads("bert-base", bert(12, 768)),
        writer_workloads("gpt2", gpt2()), writer_workloads("llama", llama())}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

}  // namespace fovea::bench
