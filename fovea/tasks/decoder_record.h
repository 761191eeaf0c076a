/// Where an encoder and a decoder attended: what their layers showed of one text, as a record has
/// it. Sequences are the "source", the "target" as it was written (the end included), and, if a
/// layer attends to it, the "prefix": what the decoder had read when it wrote each target.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/decode/search.h"
#include "fovea/inspect/run_record.h"
#include "fovea/models/encoder_decoder.h"
#include "fovea/tasks/cached_stepper.h"
#include "fovea/tasks/record_options.h"

namespace fovea {

AttentionLayers layers_of(const Encoder& encoder, const Decoder& decoder);

/// Makes a probe keep what belongs to every record, whatever is asked for: it is few numbers.
void keep_always(const AttentionLayers& layers, Probe& probe);

/// Adds what a probe kept of one sequence of its batch to a record that has a source and a target.
void add_layers(const AttentionLayers& layers, const Probe& probe, Dim sequence,
                const std::vector<std::string>& prefix, const RecordOptions& options,
                RunRecord& record);

/// Whether all that is asked for can be captured while a target is written: the largest weights of
/// cross attention, of models of which nothing else belongs to a record.
bool captures_all(const AttentionLayers& layers, const RecordOptions& options);
/// Adds what was captured of a text while it was written; false if that is not all of it.
bool add_captured(const Hypothesis& text, const RecordOptions& options, RunRecord& record);

}  // namespace fovea
