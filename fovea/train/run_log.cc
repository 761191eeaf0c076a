#include "fovea/train/run_log.h"

#include <nlohmann/json.hpp>

namespace fovea {
namespace {

using Object = nlohmann::ordered_json;

Object object_of(const std::vector<Figure>& figures) {
  Object object = Object::object();
  for (const Figure& figure : figures) object[figure.name] = figure.value;
  return object;
}

}  // namespace

RunLog::RunLog(const RunFolder& folder, const LogSizes& sizes)
    : metrics_(folder.metrics(), sizes.metrics) {}

bool RunLog::write(const TrainLine& line) {
  const Object object = {{"kind", "train"},
                         {"step", line.step},
                         {"epoch", line.epoch},
                         {"losses", object_of(line.losses)},
                         {"learning_rate", line.learning_rate},
                         {"gradient_norm", line.gradient_norm},
                         {"per_second", line.per_second},
                         {"seconds", line.seconds}};
  return metrics_.append(object.dump() + "\n");
}

bool RunLog::write(const ValidationLine& line) {
  const Object object = {{"kind", "validation"},  {"step", line.step},
                         {"epoch", line.epoch},   {"figures", object_of(line.figures)},
                         {"better", line.better}, {"seconds", line.seconds}};
  return metrics_.append(object.dump() + "\n");
}

LogSizes RunLog::sizes() {
  metrics_.sync();
  return {.metrics = metrics_.bytes()};
}

}  // namespace fovea
