/// Translating lines, scoring translations, and saying which source word made which target word.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/attention/probe.h"
#include "fovea/tasks/translate/translation_model.h"
#include "fovea/tasks/writer.h"

namespace fovea {

struct TranslateOptions {
  TranslateDecode decode = {};
  std::string head = {};    // which of the model's heads writes; "": the target itself
  std::string prefix = {};  // what every translation must begin with
  Dim first = 0;            // the number of the first line, as in DecodeRequest
  Dim rows = 2048;          // source rows that are read together
  /// Told how many lines are done.
  std::function<void(Dim)> progress = {};
};

/// As the model's folder says, but the likeliest token each time and without a second score.
TranslateOptions greedy_options(const TranslationModel& model);

/// n_best translations of each line, the best first; they do not depend on what is read together.
/// An empty line has an empty translation. Uses the weights as they are: pack them before.
std::vector<WrittenLine> translate(const TranslationModel& model,
                                   std::span<const std::string> lines,
                                   const TranslateOptions& options);
std::unique_ptr<Writer> writer_of(const TranslationModel& model);
/// The best translation of each.
std::vector<std::string> best_of(std::span<const WrittenLine> lines);

/// A source and its translation as ids: sources end with the end, targets are bare.
struct IdPair {
  Ids source, target;
};
/// log P(target, end | source) of each pair; from right to left if `reverse`.
std::vector<double> log_probabilities(const TranslationModel& model, std::span<const IdPair> pairs,
                                      bool reverse);

/// Runs all pairs through the model once, as whole sequences, for a probe: row t of the decoder is
/// the one that writes target t (and the last one the end).
void probe_pairs(const TranslationModel& model, std::span<const IdPair> pairs, Probe& probe);

}  // namespace fovea
