/// What training of the task "translate" makes small. One pass over a batch serves all objectives.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fovea/tasks/translate/translation_model.h"
#include "fovea/train/workload.h"

namespace fovea {

struct TranslateExample {
  Ids source = {};              // what its neighbours have and the end included
  Ids target = {};              // bare
  std::vector<Ids> heads = {};  // the targets of further heads
  Ids links = {};               // target piece, source piece, target piece, ...; rising
};
using TranslateBatch = std::span<const TranslateExample>;

/// Targets of a batch as one decoder writes them: N rows in all.
struct WrittenTargets {
  const OutputLayer* out = nullptr;
  Sequences given;  // first, y_1, ..., y_T: what the decoder reads
  Tensor wanted;    // y_1, ..., y_T, end: what it should write, (N)
  Decoded decoded;
  /// The sum of -log P(wanted), smoothed in training. It is computed behind its own decoder: the
  /// gradients of layers that decoders share are summed in the order of the tape.
  Var loss;
};

struct TranslateForward {
  Encoded source;
  /// The target, or with TargetDirection::both the target in each direction; then the heads.
  std::vector<WrittenTargets> targets;
};

/// `lag`: other than the model's; -1: the model's.
TranslateForward forward(const TranslationModel& model, TranslateBatch batch, Dim lag,
                         const Pass& pass);

struct TranslateLoss {
  LossPart part;
  /// How much a batch counts: known before the pass.
  std::function<double(TranslateBatch)> count;
  /// The sum over a batch that counts; undefined if the pass has no such loss.
  std::function<Var(TranslateBatch, const TranslateForward&)> sum;
};
std::vector<TranslateLoss> objectives(const TranslationModel& model);

}  // namespace fovea
