/// Where a model looked that tags words.
#pragma once

#include "fovea/tasks/runner.h"
#include "fovea/tasks/tag/tagging_model.h"

namespace fovea {

/// Each word with its tag ("Peter/B-PER"), after the intent and a tab if there is one.
std::string tagged_line(const Words& words, const TaggedText& answer);

/// Of a Transformer its layers; of one that tells intents also which words told it.
RunRecord record_of(const TaggingModel& model, const std::string& line,
                    const RecordOptions& options);

}  // namespace fovea
