/// Models over HTTP: the front, what it answers, and the thread that computes.
///
///   serve::Server server({{"multi30k-en-de", "translate",
///   Runner::load(folder)}}, {}); server.run();   // until server.stop()
#pragma once

#include "fovea/serve/api.h"
#include "fovea/serve/http_front.h"

namespace fovea::serve {

struct ServerConfig {
  FrontConfig front = {};
  ApiConfig api = {};
  EngineConfig engine = {};
};

class Server {
 public:
  /// Listens from now on.
  Server(std::vector<Engine::Model> models, const ServerConfig& config);

  int port() const { return front_.port(); }
  /// Serves until stop(), then answers what was accepted and returns.
  void run();
  /// From any thread, or in a signal handler.
  void stop() { front_.stop(); }

 private:
  Api api_;
  HttpFront front_;
};

/// A model of the command line: "FOLDER" or "NAME=FOLDER". Its name is that of
/// the folder.
Engine::Model load_model(const std::string& argument, const std::vector<std::string>& settings);

}  // namespace fovea::serve
