#include "fovea/tasks/tag/tag_metrics.h"

#include "fovea/metrics/error_rate.h"

namespace fovea {
namespace {

long long count(Dim n) { return static_cast<long long>(n); }

double percent(Dim part, Dim whole) { return 100 * metrics::share(part, whole); }

std::string counts_of(const ClassScore& score) {
  return formatted(
      "F1 = %.2f %%, precision %.2f %%, recall %.2f %%, of %lld, %lld found, %lld right",
      100 * score.f1(), 100 * score.precision(), 100 * score.recall(), count(score.given),
      count(score.found), count(score.right));
}

/// Nothing, if all was seen.
void report_unseen(std::vector<Report>& reports, const char* what,
                   const std::map<std::string, Dim>& unseen) {
  if (unseen.empty()) return;
  Dim all = 0;
  std::string names;
  for (const auto& [name, times] : unseen) {
    all += times;
    names += concat(names.empty() ? "" : ", ", name, " (", times, ")");
  }
  const Figure figure = {concat("unseen.", what), static_cast<double>(all), false};
  reports.push_back({figure,
                     concat(all, " ", what, " that training never saw count as wrong: ", names),
                     "not in the training part"});
}

}  // namespace

void TagScore::add(const GivenText& given, const TaggedText& found) {
  entities.add(given.tags, found.tags);
  for (std::size_t i = 0; i < given.tags.size(); ++i) right_tags += given.tags[i] == found.tags[i];
  ++texts;
  words += static_cast<Dim>(given.words.size());
  if (given.intent.empty()) return;
  ++with_intent;
  const bool right = given.intent == found.intent;
  right_intents += right;
  right_frames += right && entities.last_right();
}

std::vector<Figure> figures_of(const TagScore& score, double loss) {
  std::vector<Figure> figures = {{"loss", loss, false},
                                 {"f1", 100 * score.entities.all().f1(), true}};
  if (score.with_intent > 0) {
    figures.push_back({"intent", percent(score.right_intents, score.with_intent), true});
    figures.push_back({"frame", percent(score.right_frames, score.with_intent), true});
  }
  return figures;
}

UnseenLabels::UnseenLabels(const TaggingModel& model, std::span<const GivenText> texts) {
  for (const GivenText& text : texts) {
    const Ids ids = model.tag_ids(text.tags);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] < 0) ++tags[text.tags[i]];
    }
    if (!text.intent.empty() && model.intent_id(text.intent) < 0) ++intents[text.intent];
  }
}

std::vector<Report> reports_of(const TagScore& score, const UnseenLabels& unseen) {
  const ClassScore all = score.entities.all();
  std::vector<Report> reports;
  reports.push_back(
      {{"f1", 100 * all.f1(), true}, counts_of(all), "entities as conlleval counts them"});
  reports.push_back(share_report("accuracy", score.right_tags, score.words,
                                 "words whose tag is right, O included"));
  if (score.with_intent > 0) {
    reports.push_back(share_report("intent", score.right_intents, score.with_intent,
                                   "texts whose intent is right"));
    reports.push_back(share_report("frame", score.right_frames, score.with_intent,
                                   "texts whose intent and all entities are right"));
  }
  for (const auto& [type, of_type] : score.entities.types()) {
    reports.push_back({{"f1." + type, 100 * of_type.f1(), true}, "  " + counts_of(of_type), type});
  }
  report_unseen(reports, "tags", unseen.tags);
  report_unseen(reports, "intents", unseen.intents);
  return reports;
}

}  // namespace fovea
