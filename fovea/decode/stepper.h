/// A model that writes one token after the other, as searches see it.
#pragma once

#include <span>
#include <vector>

#include "fovea/decode/captured.h"
#include "fovea/tensor/sequences.h"

namespace fovea {

/// Holds what the model has of each open hypothesis: its caches, its source.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Logits of the token after `next`: (hypotheses, vocabulary). Each hypothesis is given the ids
  /// that it has not been given yet: one in a search, several for a forced beginning.
  virtual Tensor step(const Sequences& next) = 0;

  /// From now on hypothesis i continues what was hypothesis from[i]. Those not named are dropped.
  virtual void select(std::span<const Dim> from) = 0;

  /// Takes over the hypotheses of another stepper of the same model: from now on they stand after
  /// its own. Both have made at least one step; the other one holds nothing afterwards.
  virtual void join(Stepper& other) = 0;

  /// The attention that the tokens given last paid to each row of the source, summed over the
  /// tokens: (source rows) for each hypothesis. Only after track_coverage(true).
  virtual std::vector<Tensor> coverage() const = 0;
  virtual void track_coverage(bool on) = 0;

  /// What the last step captured; null without capture(true), or if the model captures nothing.
  virtual std::shared_ptr<const StepCapture> captured() const { return nullptr; }
  virtual void capture(bool) {}
};

}  // namespace fovea
