/// A MarianMT that transformers drew and saved (tests/fixtures/make_marian.py): the same logits,
/// the same attention, and back again.
#include "fovea/hub/translator.h"

#include <gtest/gtest.h>

#include "fovea/attention/probe.h"

namespace fovea {
namespace {

const std::filesystem::path folder = std::filesystem::path(FOVEA_FIXTURES) / "hub" / "marian";

struct Loaded {
  HubWeights weights = HubWeights::open(folder);
  HubTranslator model;
  Params params;
  Transformer net;

  explicit Loaded(const Json& config = parse_json_file(folder / "config.json"))
      : model(hub_translator(config, weights)),
        params(source_of(weights, model.names)),
        net(params.scope(), model.transformer) {}
};

Sequences sequences(const SafeTensors& file, const std::string& ids, const std::string& lengths) {
  return {file.find(ids), Segments::of_lengths(file.find(lengths).span<Dim>())};
}

void expect_near(const Tensor& found, const Tensor& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (Dim i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found.data<float>()[i], expected.data<float>()[i], 1e-5F) << "element " << i;
  }
}

TEST(HubTranslator, ComputesAndLooksAsTransformersDoes) {
  const SafeTensors expected = SafeTensors::open(folder / "expected.safetensors");
  const Loaded loaded;
  const NoTape no_tape;
  Probe probe;
  const Encoded source =
      loaded.net.encoder(sequences(expected, "sources", "source_lengths"), {.probe = &probe});
  const Var h = loaded.net.decoder(sequences(expected, "targets", "target_lengths"), source,
                                   {.probe = &probe});
  expect_near(loaded.net.decoder.last.logits(h).value(), expected.find("logits"));
  const Dim heads = loaded.model.transformer.heads;
  const auto compare = [&](const std::string& layer, const std::string& theirs) {
    const AttentionRecord* record = probe.find(layer);
    ASSERT_NE(record, nullptr) << layer;
    for (Dim text = 0; text < 3; ++text) {
      const Tensor all = expected.find(concat(theirs, ".", text));
      const Dim size = all.size() / heads;
      for (Dim head = 0; head < heads; ++head) {
        expect_near(record->matrix(text, head),
                    Tensor::from<float>(
                        {size}, all.span<float>().subspan(static_cast<std::size_t>(head * size),
                                                          static_cast<std::size_t>(size))));
      }
    }
  };
  for (const Dim layer : {0, 1}) {
    compare(concat("encoder.", layer, ".self"), concat("encoder.", layer));
    compare(concat("decoder.", layer, ".self"), concat("decoder.", layer));
    compare(concat("decoder.", layer, ".cross"), concat("cross.", layer));
  }
}

/// The likeliest token after those that were written is the next one that was.
TEST(HubTranslator, WritesWhatTransformersWrites) {
  const SafeTensors expected = SafeTensors::open(folder / "expected.safetensors");
  const Loaded loaded;
  const NoTape no_tape;
  const Sequences written = sequences(expected, "written", "written_lengths");
  const Encoded source = loaded.net.encoder(sequences(expected, "sources", "source_lengths"), {});
  const Tensor logits =
      loaded.net.decoder.last.logits(loaded.net.decoder(written, source, {})).value();
  const std::int32_t* ids = written.ids.data<std::int32_t>();
  for (Dim s = 0; s < written.segments.count(); ++s) {
    const Dim begin = written.segments.begin(s), end = written.segments.end(s);
    EXPECT_EQ(ids[begin], loaded.model.begin);
    for (Dim r = begin; r + 1 < end; ++r) {
      const float* row = logits.view<float>()[r];
      EXPECT_EQ(std::max_element(row, row + logits.cols() - 1) - row, ids[r + 1]);  // but padding
    }
  }
}

TEST(HubTranslator, GivesBackTheSameTensors) {
  const Loaded loaded;
  const auto back = theirs(loaded.params, loaded.model.names);
  EXPECT_EQ(back.size(), loaded.weights.names().size());
  for (const NamedTensor& tensor : back) {
    EXPECT_TRUE(identical(tensor.tensor, loaded.weights(tensor.name))) << tensor.name;
  }
}

TEST(HubTranslator, NamesWhatDoesNotFit) {
  const Json config = parse_json_file(folder / "config.json");
  const auto with = [&](const char* key, const Json& value) -> std::string {
    Json changed = config;
    changed[key] = value;
    try {
      Loaded loaded(changed);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(with("scale_embedding", false).find("scale_embedding"), std::string::npos);
  EXPECT_NE(with("normalize_before", true).find("normalize_before"), std::string::npos);
  EXPECT_NE(with("decoder_ffn_dim", 25).find("encoder_ffn_dim"), std::string::npos);
  EXPECT_NE(with("encoder_layers", 1LL << 60).find("tensors"), std::string::npos);
  EXPECT_NE(with("decoder_start_token_id", 1000).find("expected an id below"), std::string::npos);
  EXPECT_NE(with("d_model", 32).find("expected the shape"), std::string::npos);
}

}  // namespace
}  // namespace fovea
