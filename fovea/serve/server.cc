#include "fovea/serve/server.h"

#include "fovea/tasks/recipe.h"
#include "fovea/tasks/task.h"

namespace fovea::serve {
namespace {

/// Who needs no key because only this machine is served must come by its name.
FrontConfig guarded(const ServerConfig& config) {
  FrontConfig front = config.front;
  front.own_names = config.api.keys.empty() && is_loopback(front.host);
  return front;
}

}  // namespace

Server::Server(std::vector<Engine::Model> models, const ServerConfig& config)
    : api_(std::move(models), config.api, config.engine),
      front_(
          guarded(config),
          [this](HttpRequest request, Reply reply) {
            api_.handle(std::move(request), std::move(reply));
          },
          [](const HttpError& error) { return refusal(error, errors_at(error.path)); }) {
  api_.front_gauges = [this] {
    const HttpFront::Counts& counts = front_.counts();
    return std::vector<Metrics::Gauge>{
        {"fovea_connections", "Open connections", static_cast<double>(counts.open)},
        {"fovea_connections_total", "Connections", static_cast<double>(counts.accepted), true},
        {"fovea_connections_refused_total", "Connections beyond the limit",
         static_cast<double>(counts.refused), true},
        {"fovea_malformed_total", "Requests that could not be read",
         static_cast<double>(counts.malformed), true},
        {"fovea_timed_out_total", "Clients that were too slow",
         static_cast<double>(counts.timed_out), true}};
  };
}

void Server::run() {
  front_.run();
  api_.finish();
}

Engine::Model load_model(const std::string& argument, const std::vector<std::string>& settings) {
  const std::size_t equals = argument.find('=');
  const bool named = equals != std::string::npos && !std::filesystem::exists(argument);
  const std::filesystem::path folder = named ? argument.substr(equals + 1) : argument;
  std::string name = named ? argument.substr(0, equals)
                           : std::filesystem::weakly_canonical(folder).filename().string();
  FOVEA_CHECK(!name.empty(), ErrorKind::bad_setting, "serve: ", argument,
              " has no name; give NAME=FOLDER");
  return {std::move(name), std::string(task_of_model(folder).name), Runner::load(folder, settings)};
}

}  // namespace fovea::serve
