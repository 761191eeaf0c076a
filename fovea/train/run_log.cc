#include "fovea/train/run_log.h"

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

namespace fovea {
namespace {

using Object = nlohmann::ordered_json;

Object object_of(const std::vector<Figure>& figures) {
  Object object = Object::object();
  for (const Figure& figure : figures) object[figure.name] = figure.value;
  return object;
}

std::vector<Scalar> scalars_of(const std::string& prefix, const std::vector<Figure>& figures) {
  std::vector<Scalar> scalars;
  for (const Figure& figure : figures) scalars.push_back({prefix + figure.name, figure.value});
  return scalars;
}

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

RunLog::RunLog(const RunFolder& folder, const LogSizes& sizes,
               std::function<void(const std::string& line)> watcher)
    : metrics_(folder.metrics(), sizes.metrics),
      events_(folder.events(), sizes.events),
      watcher_(std::move(watcher)) {
  if (!watcher_) return;
  std::ifstream before(folder.metrics());
  for (std::string line; std::getline(before, line);) watcher_(line);
}

bool RunLog::append(Dim step, const std::string& line, const std::vector<Scalar>& scalars) {
  if (watcher_) watcher_(line);
  const double time = wall_time();
  bool written = metrics_.append(line + "\n");
  if (events_.bytes() == 0) written = events_.append(event_file_version(time)) && written;
  return events_.append(event_record(time, step, scalars)) && written;
}

bool RunLog::write(const TrainLine& line) {
  Object object = {{"kind", "train"},
                   {"step", line.step},
                   {"epoch", line.epoch},
                   {"losses", object_of(line.losses)}};
  object.update(object_of(line.updates));
  object["per_second"] = line.per_second;
  object["seconds"] = line.seconds;
  std::vector<Scalar> scalars = scalars_of("train/", line.losses);
  for (Scalar& scalar : scalars_of("train/", line.updates)) scalars.push_back(std::move(scalar));
  scalars.push_back({"train/per_second", line.per_second});
  return append(line.step, object.dump(), scalars);
}

bool RunLog::write(const ValidationLine& line) {
  const Object object = {{"kind", "validation"},  {"step", line.step},
                         {"epoch", line.epoch},   {"figures", object_of(line.figures)},
                         {"better", line.better}, {"seconds", line.seconds}};
  return append(line.step, object.dump(), scalars_of("validation/", line.figures));
}

LogSizes RunLog::sizes() {
  metrics_.sync();
  events_.sync();
  return {.metrics = metrics_.bytes(), .events = events_.bytes()};
}

}  // namespace fovea
