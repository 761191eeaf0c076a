/// A training for those who watch it in a browser: the viewer's page, and the lines of the training
/// as they come. web/INTERFACE.md, /v1/training/events.
///
///   serve::TrainingWatch watch({.port = 8081});
///   train(work, config, {.folder = folder, .watcher = [&](const auto& line) { watch.tell(line);
///   }}); watch.end("finished");
#pragma once

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "fovea/serve/http_front.h"

namespace fovea::serve {

class TrainingWatch {
 public:
  /// Listens from now on, on a thread of its own.
  explicit TrainingWatch(FrontConfig config);
  /// Ends, if nobody did.
  ~TrainingWatch();
  TrainingWatch(const TrainingWatch&) = delete;
  TrainingWatch& operator=(const TrainingWatch&) = delete;

  int port() const { return front_.port(); }
  /// One JSON object, on one line. Any thread may call these.
  void tell(const std::string& line);
  /// The last line, and the end of all connections.
  void end(const std::string& reason);

 private:
  void answer(const HttpRequest& request, const Reply& reply);

  std::mutex mutex_;
  std::vector<std::string> lines_;  // so far: who comes late is told all of them
  std::vector<Reply> watching_;
  bool ended_ = false;
  HttpFront front_;
  std::thread thread_;
};

}  // namespace fovea::serve
