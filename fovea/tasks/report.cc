#include "fovea/tasks/report.h"

#include <algorithm>

namespace fovea {

Report percent_report(const std::string& name, double percent, std::string text,
                      std::string signature) {
  return {{name, percent, true}, std::move(text), std::move(signature)};
}

Report share_report(const std::string& name, Dim right, Dim all, const std::string& signature) {
  const double share =
      100 * static_cast<double>(right) / static_cast<double>(std::max<Dim>(all, 1));
  return percent_report(name, share,
                        formatted("%s = %.2f %% (%lld of %lld)", name.c_str(), share,
                                  static_cast<long long>(right), static_cast<long long>(all)),
                        signature);
}

Report loss_report(double loss) {
  return {
      {"loss", loss, false}, formatted("loss = %.4f", loss), "mean", Report::Shown::in_validation};
}

std::vector<Report> test_reports(std::vector<Report> reports) {
  std::erase_if(reports, [](const Report& r) { return r.shown == Report::Shown::in_validation; });
  return reports;
}

std::vector<Figure> validation_figures(const std::vector<Report>& reports) {
  std::vector<Figure> figures;
  for (const Report& report : reports) {
    if (report.shown != Report::Shown::in_test) figures.push_back(report.figure);
  }
  return figures;
}

}  // namespace fovea
