/// A run as JSON, for the viewer and for programs: web/INTERFACE.md.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "fovea/inspect/run_record.h"
#include "fovea/inspect/run_tiles.h"

namespace fovea {

/// All but the weights, which come in tiles. `id` names the run in paths. All texts
/// are UTF-8, and tokens can be shown as they are.
nlohmann::json run_json(const RunRecord& record, const std::string& id);
/// The same with the weights in each layer, in 16 bits and base64, as they stand inside a page.
nlohmann::json run_json_with_weights(const RunRecord& record, const std::string& id);
/// `measures`, as the viewer reads it.
nlohmann::json measures_json(std::span<const LayerMeasures> measures);

/// Lines for those who watch a training (train/run_log.h has the others): what the model answers to
/// fixed inputs, and how attention forms, as one map in 16 bits and base64.
struct TrainingSample {
  std::string input, output;
  std::string reference = {};  // "": none
};
nlohmann::json samples_line(std::span<const TrainingSample> samples, Dim step);
nlohmann::json attention_line(const AttentionMap& map, Dim step);

}  // namespace fovea
