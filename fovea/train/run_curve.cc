#include "fovea/train/run_curve.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fovea/base/atomic_file.h"
#include "fovea/base/check.h"
#include "fovea/picture/curve.h"

namespace fovea {
namespace {

using Json = nlohmann::json;

/// The numbers of `group` in lines of a kind, by name.
void add_points(const Json& line, const char* kind, const char* group, std::vector<Curve>& curves) {
  if (line.value("kind", "") != kind || !line.contains(group)) return;
  for (const auto& [name, value] : line[group].items()) {
    if (!value.is_number()) continue;  // null stands for what is not finite
    const std::string full = concat(kind, " ", name);
    auto curve = std::find_if(curves.begin(), curves.end(),
                              [&](const Curve& known) { return known.name == full; });
    if (curve == curves.end()) curve = curves.insert(curve, {.name = full, .points = {}});
    curve->points.emplace_back(line.value("step", 0.0), value.get<double>());
  }
}

void write(const std::filesystem::path& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace

void draw_run(const RunFolder& folder, const std::string& watch) {
  std::vector<Curve> curves, figures;
  std::ifstream metrics(folder.metrics());
  for (std::string text; std::getline(metrics, text);) {
    const Json line = Json::parse(text, nullptr, false);
    if (!line.is_object()) continue;
    add_points(line, "train", "losses", curves);
    add_points(line, "validation", "figures", figures);
  }
  for (Curve& figure : figures) {
    const bool is_loss = figure.name.starts_with("validation loss");
    if (is_loss) {
      curves.push_back(std::move(figure));
    } else if (figure.name == "validation " + watch) {
      write(folder.figure(), curve_svg(watch, {&figure, 1}, {.x_label = "step", .y_label = watch}));
    }
  }
  write(folder.curve(), curve_svg("loss", curves, {.x_label = "step", .y_label = "loss"}));
}

}  // namespace fovea
