#include "fovea/base/arena.h"
#include "fovea/serve/api.h"
#include "fovea/serve/page.h"

namespace fovea::serve {

void get_page(Api&, const ExchangePtr& exchange) { exchange->send(page_response()); }

void get_health(Api&, const ExchangePtr& exchange) { exchange->answer({{"status", "ok"}}); }

void get_ready(Api& api, const ExchangePtr& exchange) {
  if (api.engine().full()) throw ApiError(503, "no more requests can wait");
  exchange->answer({{"status", "ready"}});
}

void get_metrics(Api& api, const ExchangePtr& exchange) {
  const Arena::Stats arena = Arena::shared().stats();
  std::vector<Metrics::Gauge> gauges = {
      {"fovea_queue", "Lines that wait for a model", static_cast<double>(api.engine().waiting())},
      {"fovea_working", "Lines that models work on", static_cast<double>(api.engine().working())},
      {"fovea_run_bytes", "Weights of the runs that are kept",
       static_cast<double>(api.shelf().bytes())},
      {"fovea_arena_bytes", "Memory of tensors", static_cast<double>(arena.in_use)},
      {"fovea_arena_touched_bytes", "The most that tensors ever had",
       static_cast<double>(arena.from_system)},
      {"process_resident_memory_bytes", "Memory of the process", resident_bytes()},
  };
  if (api.front_gauges) {
    for (Metrics::Gauge& gauge : api.front_gauges()) gauges.push_back(std::move(gauge));
  }
  exchange->send(
      {.type = "text/plain; version=0.0.4; charset=utf-8", .body = api.metrics().text(gauges)});
}

void get_openapi(Api&, const ExchangePtr& exchange) { exchange->answer(openapi()); }

}  // namespace fovea::serve
