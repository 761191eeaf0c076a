/// MarianMT as a model of the task "translate": the part of tasks/import_hub.h for it.
#pragma once

#include "fovea/tasks/import_hub.h"

namespace fovea {

/// By its config.json.
bool is_marian(const std::filesystem::path& folder);

/// With source.spm, target.spm and vocab.json (and target_vocab.json if languages share none).
Imported import_marian(const HubImport& from, const std::filesystem::path& out);

}  // namespace fovea
