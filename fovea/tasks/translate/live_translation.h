/// Translation while the source is still arriving: words go in, and as soon as the model's lag
/// allows, text comes out. Ma et al. 2019, "STACL": wait-k. What comes out is what a greedy search
/// over the whole source gives.
#pragma once

#include <string>
#include <string_view>

#include "fovea/attention/cache.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/translate/translation_model.h"

namespace fovea {

class LiveTranslation : public LiveAnswer {
 public:
  /// Needs a model that was trained with a lag.
  explicit LiveTranslation(const TranslationModel& model);

  std::string read(std::string_view word) override;
  std::string finish() override;

 private:
  /// Reads rows of the source, keeps what the encoder makes of them.
  void encode(const Ids& ids);
  /// Writes all that may be written now; the text that is new.
  std::string write();
  std::int32_t next() const;

  const TranslationModel& model_;
  Dim lag_;
  Cache encoder_;  // the encoder looks back only: what it made of earlier rows stays
  Tensor memory_;  // (M, W)
  std::string source_;
  std::size_t read_ = 0;  // ids of it
  Ids target_;
  std::string written_;
  bool source_ended_ = false, ended_ = false;
};

}  // namespace fovea
