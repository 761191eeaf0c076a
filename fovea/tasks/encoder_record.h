/// Where the layers of an encoder of texts looked.
#pragma once

#include "fovea/models/text_encoder.h"
#include "fovea/tasks/runner.h"
#include "fovea/text/tokenizer.h"

namespace fovea {

/// Runs one text through an encoder and adds its tokens, as sequence "text", and its layers to a
/// record.
void record_text(const TextEncoder& encoder, const Tokenizer& words, const Ids& ids,
                 const RecordOptions& options, RunRecord& record);
/// The same of the last layer that looks at something, if there is one.
void record_last_look(const TextEncoder& encoder, const Tokenizer& words, const Ids& ids,
                      RunRecord& record);

}  // namespace fovea
