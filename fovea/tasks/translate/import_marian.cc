#include "fovea/tasks/translate/import_marian.h"

#include <fstream>
#include <iterator>

#include "fovea/formats/safetensors.h"
#include "fovea/hub/translator.h"
#include "fovea/tasks/translate/translation_model.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  FOVEA_CHECK(in.is_open(), path.filename().string(), ": cannot be opened; a MarianMT has ",
              "source.spm, target.spm and vocab.json");
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

bool is_marian(const Json& config) {
  return config.is_object() && config.value("model_type", Json()) == "marian";
}

Imported import_marian(const HubImport& from, const fs::path& out) {
  const Json config = parse_json_file(from.folder / "config.json");
  FOVEA_CHECK(is_marian(config), "import: --task translate needs a MarianMT, but config.json's ",
              "model_type is ", config.value("model_type", Json()).dump());
  const HubWeights weights =
      from.weights.empty() ? HubWeights::open(from.folder) : HubWeights::open_file(from.weights);
  const HubTranslator net = hub_translator(config, weights);
  expect_no_others(net, weights);
  const TransformerConfig& c = net.transformer;
  const bool apart = fs::exists(from.folder / "target_vocab.json");
  const auto tokenizer = [&](const char* model, const char* pieces, Dim size) {
    const std::string contents = contents_of(from.folder / model);
    const std::vector<std::string> names = hub_pieces(from.folder / pieces, size);
    try {
      return Tokenizer::of_marian(contents, names);
    } catch (const Error& error) {
      fail(model, " with ", pieces, ": ", error.what());
    }
  };
  const Tokenizer source = tokenizer("source.spm", "vocab.json", c.source_vocabulary);
  const Tokenizer target =
      tokenizer("target.spm", apart ? "target_vocab.json" : "vocab.json", c.target_vocabulary);
  FOVEA_CHECK(target.special().begin == net.begin && target.special().end == net.end,
              "config.json: decoder_start_token_id and eos_token_id: expected those of <pad> and ",
              "</s> in the vocabulary, ", target.special().begin, " and ", target.special().end,
              ", found ", net.begin, " and ", net.end);
  TranslateRecipe recipe;
  recipe.title = concat("marian of ", from.folder.filename().string());
  recipe.model.config = c;
  recipe.text.joint = false;
  recipe.text.source = source.config();
  recipe.text.target = target.config();
  recipe.data.longest = c.longest - 1;
  const TranslationModel model(std::move(recipe), {{"source", source}, {"target", target}},
                               std::make_unique<Params>(source_of(weights, net.names)));
  model.save_rest(out);
  return {"translate", "marian", write_weights(*model.params, out), {}};
}

}  // namespace fovea
