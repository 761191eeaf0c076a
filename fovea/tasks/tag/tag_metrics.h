/// How good tags and intents are, and how that is told.
#pragma once

#include <vector>

#include "fovea/metrics/entities.h"
#include "fovea/tasks/report.h"
#include "fovea/tasks/tag/tag_data.h"

namespace fovea {

struct TagScore {
  EntityScore entities;
  Dim texts = 0, words = 0;
  Dim right_tags = 0, right_intents = 0, right_frames = 0;  // a frame: the intent and all entities
  Dim with_intent = 0;                                      // texts

  void add(const GivenText& given, const TaggedText& found);
};

/// For the log of a run.
std::vector<Figure> figures_of(const TagScore& score, double loss);

/// What of the texts training never saw, and how often; it counts as wrong.
struct UnseenLabels {
  std::map<std::string, Dim> tags, intents;

  UnseenLabels(const TaggingModel& model, std::span<const GivenText> texts);
};

/// For `fovea eval`: all together, intents, each type, and what was never seen.
std::vector<Report> reports_of(const TagScore& score, const UnseenLabels& unseen);

}  // namespace fovea
