/// Where a model looked while it translated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/tasks/runner.h"
#include "fovea/tasks/translate/translate.h"

namespace fovea {

/// All attention of encoder and decoder, for each pair, from one more pass over them as whole
/// sequences: far cheaper than the search was. Sequences are the "source", the "target" as it was
/// written (the end included) and its "prefix", what the decoder had read when it wrote each
/// target. The alignment is the layer and head that TranslationModel names. Inputs and outputs are
/// the texts of the pairs. A model without attention is an Error.
std::vector<RunRecord> records_of(const TranslationModel& model, std::span<const IdPair> pairs,
                                  const RecordOptions& options);

/// Whether all that is asked for can be captured while a target is written.
bool captured_while_written(const TranslationModel& model, const RecordOptions& options);
/// The record of a target from what was captured while it was written; none if that is not all.
std::optional<RunRecord> record_of(const TranslationModel& model, const Ids& source,
                                   const Hypothesis& target, const RecordOptions& options);

}  // namespace fovea
