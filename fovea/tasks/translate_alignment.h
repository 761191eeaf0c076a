/// Which source made which target: what the decoder's layers looked at, with names.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/tasks/runner.h"
#include "fovea/tasks/translate.h"
#include "fovea/tasks/translate_data.h"

namespace fovea {

/// All layers and heads of the decoder that look at the source, for each pair; with `words`, pieces
/// are joined to words. `alignment` is the layer and head that TranslationModel names.
std::vector<Looked> look_at(const TranslationModel& model, std::span<const IdPair> pairs,
                            bool words);

/// For each target word the source word that it looked at most, in Pharaoh's form: "0-0 1-2".
std::string word_links(const TranslationModel& model, const IdPair& pair);

/// The alignment error rate against the links in `gold`, a line for each source of the set.
Report alignment_report(const TranslationModel& model, const TestSet& set, const TextFile& gold);

}  // namespace fovea
