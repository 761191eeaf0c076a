/// A figure and how it is written where others should be able to compare.
#pragma once

#include <string>

#include "fovea/train/workload.h"

namespace fovea {

struct Report {
  Figure figure;
  std::string text;       // "BLEU = 41.02 70.1/...", "WER = 20.10 % (2412 of 12000 words)"
  std::string signature;  // how it was computed
};

}  // namespace fovea
