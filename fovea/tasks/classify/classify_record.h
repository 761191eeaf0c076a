/// Where a model looked when it classified a text.
#pragma once

#include "fovea/tasks/classify/classification_model.h"
#include "fovea/tasks/runner.h"

namespace fovea {

/// Words shaded for each class (class-query), for the text (static-sum) or by words and sentences
/// (hierarchical), of which all weights are kept, as they are few; which words of the first text
/// the second looked at (attentive, word-by-word); every layer of an encoder. A conditional model
/// and layers without attention look at nothing: a record with the answer alone.
RunRecord record_of(const ClassificationModel& model, const TextPair& text,
                    const RecordOptions& options);

}  // namespace fovea
