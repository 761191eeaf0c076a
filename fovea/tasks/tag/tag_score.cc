#include "fovea/tasks/tag/tag.h"

namespace fovea {
namespace {

long long count(Dim n) { return static_cast<long long>(n); }

std::string counts_of(const ClassScore& score) {
  return formatted(
      "F1 = %.2f %%, precision %.2f %%, recall %.2f %%, of %lld, %lld found, %lld right",
      100 * score.f1(), 100 * score.precision(), 100 * score.recall(), count(score.given),
      count(score.found), count(score.right));
}

Report f1_report(const std::string& name, const std::string& indent, const ClassScore& score,
                 const std::string& signature) {
  return {{name, 100 * score.f1(), true}, indent + counts_of(score), signature};
}

Report unseen_report(const std::string& what, const std::map<std::string, Dim>& unseen) {
  Dim all = 0;
  std::string names;
  for (const auto& [name, times] : unseen) {
    all += times;
    names += concat(names.empty() ? "" : ", ", name, " (", times, ")");
  }
  return {{"unseen." + what, static_cast<double>(all), false},
          concat(all, " ", what, " that training never saw count as wrong: ", names),
          "not in the training part"};
}

}  // namespace

void TaggingModel::Score::add(const Example& given, const Output& found) {
  entities.add(given.tags, found.tags);
  for (std::size_t i = 0; i < given.tags.size(); ++i) {
    right_tags += given.tags[i] == found.tags[i];
    if (given.tag_ids[i] < 0) ++unseen_tags[given.tags[i]];
  }
  words += given.words;
  if (given.intent.empty()) return;
  if (given.intent_id < 0) ++unseen_intents[given.intent];
  ++with_intent;
  const bool right = given.intent == found.intent;
  right_intents += right;
  right_frames += right && entities.last_right();
}

std::vector<Report> TaggingModel::Score::reports(const Losses& losses) const {
  std::vector<Report> reports = {
      loss_report(losses.mean(0)),
      f1_report("f1", "", entities.all(), "entities as conlleval counts them")};
  const auto add_for_test = [&](Report report) {
    report.shown = Report::Shown::in_test;
    reports.push_back(std::move(report));
  };
  add_for_test(share_report("accuracy", right_tags, words, "words whose tag is right, O included"));
  if (has_intents) {
    reports.push_back(
        share_report("intent", right_intents, with_intent, "texts whose intent is right"));
    reports.push_back(share_report("frame", right_frames, with_intent,
                                   "texts whose intent and all entities are right"));
  }
  for (const auto& [type, score] : entities.types()) {
    add_for_test(f1_report("f1." + type, "  ", score, type));
  }
  if (!unseen_tags.empty()) add_for_test(unseen_report("tags", unseen_tags));
  if (!unseen_intents.empty()) add_for_test(unseen_report("intents", unseen_intents));
  return reports;
}

}  // namespace fovea
