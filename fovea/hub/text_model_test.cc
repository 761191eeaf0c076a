/// Models that transformers drew and saved (tests/fixtures/make_hub.py): the same rows, the same
/// attention, and back again.
#include "fovea/hub/text_model.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "fovea/attention/probe.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

fs::path fixture(const std::string& type) { return fs::path(FOVEA_FIXTURES) / "hub" / type; }

struct Loaded {
  HubTextModel model;
  Params params;
  std::unique_ptr<TextEncoder> encoder;

  explicit Loaded(const fs::path& folder)
      : Loaded(parse_json_file(folder / "config.json"), HubWeights::open(folder)) {}
  Loaded(const Json& config, const HubWeights& weights)
      : model(hub_text_model(config, weights, "encoder")),
        params(source_of(weights, model.names)),
        encoder(TextEncoder::make(params.scope() / "encoder", model.encoder)) {}
};

void expect_near(const Tensor& found, const Tensor& expected, float bound) {
  ASSERT_EQ(found.size(), expected.size());
  for (Dim i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found.data<float>()[i], expected.data<float>()[i], bound) << "element " << i;
  }
}

class HubText : public ::testing::TestWithParam<const char*> {};

TEST_P(HubText, ComputesAndLooksAsTransformersDoes) {
  const SafeTensors expected = SafeTensors::open(fixture(GetParam()) / "expected.safetensors");
  const Loaded loaded(fixture(GetParam()));
  const NoTape no_tape;
  Probe probe;
  const TextRows rows = {
      {expected.find("ids"), Segments::of_lengths(expected.find("lengths").span<Dim>())},
      expected.find("kinds")};
  const Tensor hidden = (*loaded.encoder)(rows, {.probe = &probe}).value();
  expect_near(hidden, expected.find("hidden"), 1e-5F);
  const auto layers = loaded.encoder->looks();
  ASSERT_EQ(layers.size(), 2U);
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const AttentionRecord* record = probe.find(layers[layer]);
    ASSERT_NE(record, nullptr);
    for (Dim text = 0; text < rows.tokens.segments.count(); ++text) {
      const Tensor all = expected.find(concat("attention.", layer, ".", text));
      const Dim size = all.size() / loaded.model.encoder.heads;
      for (Dim head = 0; head < loaded.model.encoder.heads; ++head) {
        const Tensor weights = record->matrix(text, head);
        ASSERT_EQ(weights.size(), size);
        for (Dim i = 0; i < size; ++i) {
          ASSERT_NEAR(weights.data<float>()[i], all.data<float>()[head * size + i], 1e-5F);
        }
      }
    }
  }
}

TEST_P(HubText, GivesBackTheSameTensors) {
  const Loaded loaded(fixture(GetParam()));
  const HubWeights weights = HubWeights::open(fixture(GetParam()));
  const auto back = theirs(loaded.params, loaded.model.names);
  std::size_t compared = 0;
  for (const NamedTensor& tensor : back) {
    const Tensor expected = weights(tensor.name);
    ASSERT_EQ(tensor.tensor.shape(), expected.shape()) << tensor.name;
    const bool padded = tensor.name.ends_with("position_embeddings.weight");
    const Dim from = padded ? loaded.model.names.at("encoder.places.weight").skipped : 0;
    const Dim width = expected.shape().rank() == 1 ? 1 : expected.cols();
    for (Dim i = from * width; i < expected.size(); ++i) {
      ASSERT_EQ(tensor.tensor.data<float>()[i], expected.data<float>()[i]) << tensor.name;
    }
    ++compared;
  }
  for (const std::string& name : weights.names()) {
    const bool head = name.starts_with("cls.") || name.starts_with("lm_head.");
    if (!head) --compared;
  }
  EXPECT_EQ(compared, 0U) << "tensors of the encoder that are not written, or written twice";
}

INSTANTIATE_TEST_SUITE_P(Types, HubText,
                         ::testing::Values("bert", "roberta", "distilbert", "gpt2", "llama"),
                         [](const auto& info) { return std::string(info.param); });

std::string message(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(HubTextModel, NamesWhatDoesNotFit) {
  const HubWeights weights = HubWeights::open(fixture("bert"));
  const Json config = parse_json_file(fixture("bert") / "config.json");
  const auto with = [&](const char* key, const Json& value) {
    Json changed = config;
    changed[key] = value;
    return message([&] { Loaded(changed, weights); });
  };
  EXPECT_NE(with("model_type", "mamba").find("'mamba' is not supported"), std::string::npos);
  EXPECT_NE(with("hidden_act", "mish").find("'mish'"), std::string::npos);
  EXPECT_NE(with("hidden_size", "wide").find("hidden_size"), std::string::npos);
  EXPECT_NE(with("hidden_size", -4).find("hidden_size"), std::string::npos);
  EXPECT_NE(with("num_attention_heads", 5).find("5 heads"), std::string::npos);
  EXPECT_NE(with("position_embedding_type", "relative_key").find("relative_key"),
            std::string::npos);
  EXPECT_NE(with("num_hidden_layers", 3).find("encoder.layer.2."), std::string::npos);
  EXPECT_NE(with("vocab_size", 41).find("expected the shape (41, 16), found (40, 16)"),
            std::string::npos);
  EXPECT_NE(with("num_hidden_layers", 1LL << 60).find("tensors"), std::string::npos);
}

class Folder : public ::testing::Test {
 protected:
  Folder() : path(fs::path(::testing::TempDir()) / concat("hub.", ::getpid())) {
    fs::create_directories(path);
  }
  ~Folder() override { fs::remove_all(path); }
  std::string opened() const {
    return message([&] { HubWeights::open(path); });
  }
  fs::path path;
};

TEST_F(Folder, ShardsAreJoinedAndChecked) {
  EXPECT_NE(opened().find("found neither"), std::string::npos);
  const NamedTensor a{"a", Tensor::of<float>({2}, {1, 2})}, b{"b", Tensor::of<float>({1}, {3})};
  write_safetensors(path / "one.safetensors", std::vector{a});
  write_safetensors(path / "two.safetensors", std::vector{b});
  const auto index = [&](const char* text) {
    std::ofstream(path / "model.safetensors.index.json") << text;
  };
  index(R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  const HubWeights weights = HubWeights::open(path);
  EXPECT_EQ(weights("b").data<float>()[0], 3);
  EXPECT_EQ(weights.names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_NE(message([&] { weights("c"); }).find("c is missing"), std::string::npos);
  index(R"({"weight_map": {"a": "one.safetensors", "c": "two.safetensors"}})");
  EXPECT_NE(opened().find("c is missing"), std::string::npos);
  index(R"({"weight_map": {"a": "../one.safetensors"}})");
  EXPECT_NE(opened().find("same folder"), std::string::npos);
  index(R"({"weight_map": 7})");
  EXPECT_NE(opened().find("weight_map"), std::string::npos);
  write_safetensors(path / "two.safetensors", std::vector{a});
  index(R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  EXPECT_NE(opened().find("also in another file"), std::string::npos);
}

// bert-base-uncased has the names that its norms had in TensorFlow.
TEST_F(Folder, NormsOfOldAreKnownByTheNamesOfToday) {
  write_safetensors(path / "model.safetensors",
                    std::vector<NamedTensor>{{"e.LayerNorm.gamma", Tensor::of<float>({1}, {1})},
                                             {"e.LayerNorm.beta", Tensor::of<float>({1}, {2})},
                                             {"e.gamma", Tensor::of<float>({1}, {3})}});
  const HubWeights weights = HubWeights::open(path);
  EXPECT_EQ(weights("e.LayerNorm.weight").data<float>()[0], 1);
  EXPECT_EQ(weights("e.LayerNorm.bias").data<float>()[0], 2);
  EXPECT_EQ(weights("e.gamma").data<float>()[0], 3);
  EXPECT_FALSE(weights.has("e.LayerNorm.gamma"));
}

}  // namespace
}  // namespace fovea
