#include "fovea/train/train_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fovea {

const Figure& find_figure(const std::vector<Figure>& figures, const std::string& name) {
  std::vector<std::string> names;
  for (const Figure& figure : figures) names.push_back(figure.name);
  expect_figure(names, name);
  return *std::find_if(figures.begin(), figures.end(),
                       [&](const Figure& figure) { return figure.name == name; });
}

void expect_figure(const std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  std::string all;
  for (const std::string& one : names) all += " " + one;
  fail(ErrorKind::bad_setting, "train.watch: there is no figure '", name, "'; there are:", all);
}

bool TrainState::is_better(const Figure& figure) const {
  if (!std::isfinite(figure.value)) return false;
  if (!has_best) return true;
  return figure.higher_is_better ? figure.value > best.value : figure.value < best.value;
}

void TrainState::watch_figure(const std::string& name) {
  const std::string before = std::exchange(watch, name);
  if (before.empty() || before == name) return;
  validations.clear();
  has_best = false;
  best = {};
  waited = 0;
  plateau.waited = 0;
}

bool TrainState::note(const std::vector<Figure>& figures, const ScheduleConfig& schedule) {
  if (figures.empty()) {
    validations.push_back({step, 0});
    return false;
  }
  const Figure& figure = find_figure(figures, watch);
  const bool better = is_better(figure);
  higher_is_better = figure.higher_is_better;
  if (std::isfinite(figure.value)) validations.push_back({step, figure.value});
  if (better) best = {step, figure.value};
  has_best = has_best || better;
  waited = better ? 0 : waited + 1;
  plateau.see(better, schedule);
  return better;
}

}  // namespace fovea
