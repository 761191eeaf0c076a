/// A trained model as Hugging Face's transformers lays its own out, so that it loads it:
/// config.json, model.safetensors with their names, tokenizer.json and tokenizer_config.json. The
/// way back of tasks/import_hub.h: what was imported and is exported has the same bits.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fovea {

struct HubExported {
  std::string architecture;        // "BertForMaskedLM"
  std::vector<std::string> notes;  // what a person should know
};

/// `out` must not be there yet; it is whole or not there. An Error names the setting or the
/// parameter that no architecture of theirs has.
HubExported export_hub(const std::filesystem::path& model, const std::filesystem::path& out);

}  // namespace fovea
