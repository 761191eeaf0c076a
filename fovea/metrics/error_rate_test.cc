#include "fovea/metrics/error_rate.h"

#include <gtest/gtest.h>

#include <string>

namespace fovea {
namespace {

using Tokens = std::vector<std::string>;

TEST(TokenErrors, AreEditsByReferenceTokens) {
  TokenErrors errors;
  const Tokens said = {"the", "cat", "sat"}, heard = {"the", "hat", "sat", "down"};
  errors.add(std::span(heard), std::span(said));
  EXPECT_EQ(errors.edits, (Edits{.substitutions = 1, .insertions = 1}));
  EXPECT_DOUBLE_EQ(errors.rate(), 2.0 / 3);
  errors.add(std::span(said), std::span(said));
  EXPECT_DOUBLE_EQ(errors.rate(), 2.0 / 6);
  EXPECT_DOUBLE_EQ(errors.sequence_rate(), 0.5);
  EXPECT_EQ(TokenErrors().rate(), 0);
}

TEST(PronunciationErrors, TakeTheNearestReference) {
  const auto word = [](const Tokens& hypothesis, const std::vector<Tokens>& references) {
    PronunciationErrors errors;
    errors.add(std::span(hypothesis), std::span(references));
    return errors;
  };
  const std::vector<Tokens> tomato = {{"T", "AH", "M", "EY", "T", "OW"},
                                      {"T", "AH", "M", "AA", "T", "OW"}};
  EXPECT_EQ(word(tomato[1], tomato).word_error_rate(), 0);
  const PronunciationErrors near = word({"T", "AH", "M", "AA", "T", "AH"}, tomato);
  EXPECT_EQ(near.edits, (Edits{.substitutions = 1}));
  EXPECT_DOUBLE_EQ(near.phoneme_error_rate(), 1.0 / 6);
  EXPECT_EQ(near.word_error_rate(), 1);
  // Of references equally near the first counts, with its length.
  EXPECT_EQ(word({"A", "B"}, {{"A"}, {"A", "B", "C"}}).reference_phonemes, 1);
  EXPECT_THROW(word({"A"}, {}), Error);
}

TEST(PronunciationErrors, SumOverWords) {
  PronunciationErrors errors;
  const Tokens right = {"K", "AE", "T"}, wrong = {"K", "AE"};
  const std::vector<Tokens> references = {right};
  errors.add(std::span(right), std::span(references));
  errors.add(std::span(wrong), std::span(references));
  EXPECT_DOUBLE_EQ(errors.word_error_rate(), 0.5);
  EXPECT_DOUBLE_EQ(errors.phoneme_error_rate(), 1.0 / 6);
}

}  // namespace
}  // namespace fovea
