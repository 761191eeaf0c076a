/// A figure and how it is written where others should be able to compare.
#pragma once

#include <cstdio>
#include <string>

#include "fovea/train/workload.h"

namespace fovea {

struct Report {
  Figure figure;
  std::string text;       // "BLEU = 41.02 70.1/...", "WER = 20.10 % (2412 of 12000 words)"
  std::string signature;  // how it was computed
};

/// As printf writes it.
template <class... Values>
std::string formatted(const char* form, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, form, values...);
  return text;
}

/// "accuracy = 89.15 % (22288 of 25000)"
Report share_report(const std::string& name, Dim right, Dim all, const std::string& signature);

}  // namespace fovea
