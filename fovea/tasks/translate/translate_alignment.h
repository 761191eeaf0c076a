/// Which source word made which target word, and how far that is from what people say.
#pragma once

#include <string>

#include "fovea/tasks/report.h"
#include "fovea/tasks/translate/translate.h"
#include "fovea/tasks/translate/translate_data.h"

namespace fovea {

/// For each target word the source word that it looked at most, in Pharaoh's form: "0-0 1-2".
std::string word_links(const TranslationModel& model, const IdPair& pair);

/// The alignment error rate against the links in `gold`, a line for each source of the set.
Report alignment_report(const TranslationModel& model, const TestSet& set, const TextFile& gold);

}  // namespace fovea
