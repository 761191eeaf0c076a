/// A figure and how it is written where others should be able to compare.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "fovea/train/workload.h"

namespace fovea {

struct Report {
  /// Some figures say something only while a model is trained, or are too many for its log.
  enum class Shown { always, in_validation, in_test };

  Figure figure;
  std::string text;       // "BLEU = 41.02 70.1/...", "WER = 20.10 % (2412 of 12000 words)"
  std::string signature;  // how it was computed
  Shown shown = Shown::always;
};

/// As printf writes it.
template <class... Values>
std::string formatted(const char* form, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, form, values...);
  return text;
}

/// A figure in percent, of which more is better.
Report percent_report(const std::string& name, double percent, std::string text,
                      std::string signature);
/// "accuracy = 89.15 % (22288 of 25000)"
Report share_report(const std::string& name, Dim right, Dim all, const std::string& signature);
/// "loss = 0.3456", in validation only.
Report loss_report(double loss);

/// Those that a test shows.
std::vector<Report> test_reports(std::vector<Report> reports);
/// The figures of those that validation shows.
std::vector<Figure> validation_figures(const std::vector<Report>& reports);

/// The losses of a task over a data set: the sum of each of its objectives, and how much it counts.
struct Losses {
  std::vector<double> sums, counts;

  /// 0 where nothing was counted.
  double mean(std::size_t objective) const {
    return counts[objective] == 0 ? 0 : sums[objective] / counts[objective];
  }
};

}  // namespace fovea
