#include "fovea/tasks/answer/answer_metrics.h"

#include "fovea/metrics/ranking.h"
#include "fovea/metrics/span_match.h"

namespace fovea {
namespace {

/// A share of 1, as percent.
Report report_of(const std::string& name, const char* label, double share,
                 const std::string& protocol) {
  Report report;
  report.figure = {.name = name, .value = 100 * share, .higher_is_better = true};
  report.text = formatted("%s = %.2f", label, 100 * share);
  report.signature = protocol;
  return report;
}

}  // namespace

std::vector<Report> evaluate(std::span<const ChoiceExample> questions,
                             std::span<const std::vector<float>> chosen) {
  RankingScores scores;
  Dim first = 0;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    scores.add(chosen[q], questions[q].right);
    first += questions[q].answered() && questions[q].right[ranked(chosen[q]).front()];
  }
  const std::string protocol =
      concat(scores.counted(), " questions; ", scores.left_out(), " without an answer left out");
  std::vector<Report> reports;
  reports.push_back(report_of("map", "MAP", scores.map(), protocol));
  reports.push_back(report_of("mrr", "MRR", scores.mrr(), protocol));
  reports.push_back(share_report("first", first, scores.counted(), protocol));
  return reports;
}

std::vector<Report> evaluate(std::span<const SpanExample> questions,
                             std::span<const FoundSpan> found) {
  SpanScores scores;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const std::vector<std::string> right = questions[q].texts();
    scores.add(found[q].text, right);
  }
  std::vector<Report> reports;
  const auto add = [&](const std::string& of, const SpanScores::Mean& mean) {
    const std::string protocol =
        concat(mean.questions, " questions", of.empty() ? "" : " ", of, "; as SQuAD 2.0 counts");
    const std::string suffix = of.empty() ? "" : ", " + of;
    reports.push_back(report_of("exact" + suffix, "exact", mean.exact_share(), protocol));
    reports.push_back(report_of("f1" + suffix, "F1", mean.f1_share(), protocol));
  };
  add("", scores.all());
  add("with an answer", scores.with_answer());
  add("without", scores.without_answer());
  return reports;
}

}  // namespace fovea
