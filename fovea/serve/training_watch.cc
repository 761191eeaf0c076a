#include "fovea/serve/training_watch.h"

#include <algorithm>

#include "fovea/config/config.h"
#include "fovea/serve/exchange.h"
#include "fovea/serve/page.h"

namespace fovea::serve {
namespace {

/// A training of days has lines of some megabytes, which a browser that comes late is sent at once.
FrontConfig with_room(FrontConfig config) {
  config.unsent = std::max<std::size_t>(config.unsent, 256 << 20);
  config.drain_seconds = 2;
  config.own_names = is_loopback(config.host);
  return config;
}

/// All but the events.
HttpResponse response_to(std::string_view path) {
  if (path == "/") return page_response();
  if (path == "/v1/models" || path == "/v1/runs") return {.body = R"({"data": []})"};
  return refusal({404, "here a training is shown, and nothing else"});
}

std::string event_of(const std::string& line) { return "data: " + line + "\n\n"; }

}  // namespace

TrainingWatch::TrainingWatch(FrontConfig config)
    : front_(
          with_room(std::move(config)),
          [this](HttpRequest request, Reply reply) { answer(request, reply); },
          [](const HttpError& error) { return refusal(error); }),
      thread_([this] { front_.run(); }) {}

TrainingWatch::~TrainingWatch() {
  end("ended");
  front_.stop();
  thread_.join();
}

void TrainingWatch::tell(const std::string& line) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(line);
  std::erase_if(watching_, [](const Reply& reply) { return reply.gone(); });
  for (const Reply& reply : watching_) reply.write(event_of(line));
}

void TrainingWatch::end(const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
  }
  tell(to_text({{"kind", "end"}, {"reason", reason}}));
  const std::lock_guard lock(mutex_);
  for (const Reply& reply : watching_) reply.end();
  watching_.clear();
}

void TrainingWatch::answer(const HttpRequest& request, const Reply& reply) {
  if (request.path != "/v1/training/events") {
    reply.send(response_to(request.path));
    return;
  }
  const std::lock_guard lock(mutex_);
  std::string before;
  for (const std::string& line : lines_) before += event_of(line);
  reply.begin({.type = "text/event-stream",
               .body = std::move(before),
               .headers = {{"Cache-Control", "no-store"}}});
  if (ended_) return reply.end();
  watching_.push_back(reply);
}

}  // namespace fovea::serve
