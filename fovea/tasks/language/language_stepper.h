/// A language model as searches see it: one text a row, what was computed of it in a cache.
#pragma once

#include "fovea/attention/cache.h"
#include "fovea/decode/stepper.h"
#include "fovea/models/language_model.h"

namespace fovea {

class LanguageStepper : public Stepper {
 public:
  /// Texts of any length: a text that outgrows `context` (0: no limit) goes on from its latest
  /// half, read anew; of a beginning that is longer only the last `context` tokens are read. No
  /// tape is made.
  LanguageStepper(const LanguageModel& model, Dim texts, Dim context);

  Tensor step(const Sequences& next) override;
  void select(std::span<const Dim> from) override;
  void join(Stepper& other) override;
  std::vector<Tensor> coverage() const override { return {}; }
  void track_coverage(bool on) override;

 private:
  /// Notes what each text was given; of those that outgrow the context it keeps the latest half.
  /// Which these are.
  std::vector<Dim> outgrown(const Sequences& next);
  Tensor logits(const Sequences& rows, Cache& cache) const;

  const LanguageModel& model_;
  Dim context_;
  Cache cache_;
  std::vector<Ids> read_;  // of each text, what the cache has; only if there is a limit
};

}  // namespace fovea
