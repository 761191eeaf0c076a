/// One way of searching for translations: which decoder writes, how it is searched, what targets
/// begin with.
#pragma once

#include "fovea/decode/searching.h"
#include "fovea/tasks/cached_stepper.h"
#include "fovea/tasks/translate/translate.h"
#include "fovea/tasks/writer.h"

namespace fovea {

class TranslationSearch {
 public:
  /// `head`: which of the model's heads writes; "": the target itself. `prefix`: what every
  /// translation begins with.
  TranslationSearch(const TranslationModel& model, TranslateDecode decode,
                    const std::string& head = {}, std::string_view prefix = {});

  /// The most tokens that a source of so many rows is translated to.
  Dim longest(Dim source_rows) const;
  /// What is asked of a search for the translation of this source; `number` as in DecodeRequest.
  DecodeRequest request(const Ids& source, Dim number) const;
  const TranslateDecode& decode() const { return decode_; }
  /// What ends a target.
  std::int32_t end() const { return text_.special().end; }
  /// Ids that are never written.
  const Ids& suppressed() const { return suppressed_; }
  /// One hypothesis for each source.
  std::shared_ptr<CachedStepper> stepper(std::span<const Ids> sources) const;
  std::shared_ptr<CachedStepper> stepper(Encoded sources) const;
  /// What was found of a line and its source, ranked again if decode.rerank says so.
  std::vector<WrittenText> texts(std::string_view line, const Ids& source,
                                 std::vector<Hypothesis> found) const;
  std::string text_of(const Hypothesis& hypothesis) const {
    return text_.decode(target_of(hypothesis));
  }
  /// The symbols of the target so far, as a person should see them.
  std::vector<std::string> pieces(const Hypothesis& hypothesis) const;

 private:
  /// The target from left to right, whichever way it was written.
  Ids target_of(const Hypothesis& hypothesis) const;
  /// By the probability that other models give the same target, or this one the other way.
  void rank_again(std::string_view line, const Ids& source,
                  std::vector<Hypothesis>& hypotheses) const;
  /// The log-probability that another model gives each of these targets of the line.
  std::vector<double> scores_of(const TranslationModel& other, std::string_view line,
                                const std::vector<Hypothesis>& hypotheses) const;

  const TranslationModel& model_;
  TranslateDecode decode_;
  const DecoderHead* head_;
  const Tokenizer& text_;
  const Decoder& decoder_;
  Ids suppressed_;
  bool reverse_;
  Ids prefix_;
};

}  // namespace fovea
