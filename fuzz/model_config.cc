// config.json of a model, beside the weights of one that transformers drew. The first byte says
// which.
#include "folder.h"
#include "fovea/hub/text_model.h"
#include "fovea/hub/translator.h"

namespace {

using namespace fovea;

void read_encoder(const Json& config, const HubWeights& weights) {
  const HubTextModel model = hub_text_model(config, weights, "encoder");
  Params params(source_of(weights, model.names));
  TextEncoder::make(params.scope() / "encoder", model.encoder);
}

void read_translator(const Json& config, const HubWeights& weights) {
  const HubTranslator model = hub_translator(config, weights);
  Params params(source_of(weights, model.names));
  const Transformer built(params.scope(), model.transformer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<HubWeights> models = [] {
    std::vector<HubWeights> all;
    for (const char* type : {"bert", "roberta", "distilbert", "gpt2", "llama", "marian"}) {
      all.push_back(HubWeights::open(std::filesystem::path(FOVEA_FIXTURES) / "hub" / type));
    }
    return all;
  }();
  static const fuzz::Folder folder;
  if (size == 0) return 0;
  const auto path = folder.write("config.json", fuzz::text_of(data + 1, size - 1));
  const HubWeights& weights = models[data[0] % models.size()];
  const auto read = &weights == &models.back() ? read_translator : read_encoder;
  return fuzz::expect_read_or_error([&] { read(parse_json_file(path), weights); });
}
