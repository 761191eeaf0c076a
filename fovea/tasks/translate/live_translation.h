/// Translation while the source is still arriving: words go in, and as soon as the model's lag
/// allows, text comes out. Ma et al. 2019, "STACL": wait-k. What comes out is what a greedy search
/// over the whole source gives.
#pragma once

#include <string>
#include <string_view>

#include "fovea/decode/decoding.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/translate/translation_search.h"

namespace fovea {

class LiveTranslation : public LiveAnswer {
 public:
  /// Needs a model that was trained with a lag.
  explicit LiveTranslation(const TranslationModel& model);

  std::string read(std::string_view word) override;
  std::string finish() override;

 private:
  /// Gives further ids of the source to the encoder, and what it makes of them to the search.
  void encode(const Ids& ids);
  /// Writes all that may be written now; the text that is new.
  std::string write();

  const TranslationModel& model_;
  TranslationSearch search_;
  Dim lag_;
  Cache encoder_{1};  // the encoder looks back only: what it made of earlier rows stays
  std::shared_ptr<CachedStepper> stepper_;  // from the first row on
  Decoding decoding_;                       // the only request; empty when it has ended
  Hypothesis target_;
  std::string source_, written_;
  std::size_t read_ = 0;  // ids of the source
  Dim rows_ = 0;          // of the source, its end included
  bool source_ended_ = false;
};

}  // namespace fovea
