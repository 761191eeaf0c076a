/// MarianMT as a model of the task "translate": the part of tasks/import_hub.h for it.
#pragma once

#include "fovea/config/config.h"
#include "fovea/tasks/import_hub.h"

namespace fovea {

bool is_marian(const Json& config);

/// With source.spm, target.spm and vocab.json (and target_vocab.json if languages share none).
Imported import_marian(const HubImport& from, const std::filesystem::path& out);

}  // namespace fovea
