/// A run as a picture.
#pragma once

#include <string>

#include "fovea/train/run_folder.h"

namespace fovea {

/// From metrics.jsonl: curve.svg with the losses of training and validation over the steps, and
/// figure.svg with the watched figure if that is another one.
void draw_run(const RunFolder& folder, const std::string& watch);

}  // namespace fovea
