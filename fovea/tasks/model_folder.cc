#include "fovea/tasks/model_folder.h"

#include "fovea/formats/safetensors.h"

namespace fovea {

Tokenizer tokenizer_of_model(const std::filesystem::path& folder, const std::string& name,
                             Dim size) {
  Tokenizer tokenizer = Tokenizer::load(folder, name);
  FOVEA_CHECK(tokenizer.size() == size, (folder / (name + ".json")).string(), ": a tokenizer of ",
              tokenizer.size(), " ids, but config.json says ", size,
              "; it belongs to another model, take the one that was written with this");
  return tokenizer;
}

std::unique_ptr<Params> weights_of_model(const std::filesystem::path& folder, Use use) {
  return std::make_unique<Params>(SafeTensors::open(folder / "model.safetensors").source(), use);
}

}  // namespace fovea
