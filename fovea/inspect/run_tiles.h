/// Parts and sums of the weights of a run, as a viewer asks for them: web/INTERFACE.md. A run may
/// have 2,000 tokens, 24 layers and 16 heads; nothing here holds more than what was asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/inspect/run_record.h"

namespace fovea {

/// A head by its number, the mean of those that were kept, or all of them.
struct HeadChoice {
  enum class Kind { one, mean, all };
  Kind kind = Kind::mean;
  Dim number = 0;

  /// "3", "mean" or "all".
  static HeadChoice parse(std::string_view text);
};

/// Queries [q0, q1) and keys [k0, k1), the largest weight of each block of step x step.
struct TileRequest {
  std::string layer;  // or "rollout:" and its name
  HeadChoice head = {};
  Dim q0 = 0, q1 = 0, k0 = 0, k1 = 0;
  Dim step = 1;
};

/// Weights as unsigned 16-bit numbers, low byte first, 65535 for 1, row by row. Throws an Error if
/// there is no such layer or head, or the range is empty or outside of it; beyond 4 MiB, one that
/// is too_large.
std::string tile(const RunRecord& record, const TileRequest& request);

/// For each key of a layer the sum of the weights of all queries; of one head or the mean.
std::vector<float> received(const RunRecord& record, const std::string& layer, HeadChoice head);

/// What each head of a layer is like, averaged over its rows (those with weights, scaled to sum 1).
struct LayerMeasures {
  std::string name;
  std::vector<double> entropy;   // -sum p log2 p, in bits
  std::vector<double> distance;  // sum p |query - key|; none where queries and keys are of
                                 // different sequences
};
std::vector<LayerMeasures> measures(const RunRecord& record);

/// Rows [begin, end) of attention rollout up to a layer of a sequence that looks at itself: R = A_n
/// ... A_1 of all such layers up to it, with A = (W + I) / 2, W the mean over heads, rows scaled to
/// sum 1. Abnar and Zuidema 2020, "Quantifying attention flow in transformers", 3.
std::vector<float> rollout(const RunRecord& record, std::string_view layer, Dim begin, Dim end);

/// round(65535 weight), of weights from 0 to 1.
std::uint16_t in_16_bits(float weight);

}  // namespace fovea
