/// One request and its answer, from the handler that reads the one to the
/// thread that writes the other. Counts and logs itself when it is answered;
/// what it logs holds no text of users.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "fovea/config/config.h"
#include "fovea/serve/api_error.h"
#include "fovea/serve/http_front.h"
#include "fovea/serve/metrics.h"

namespace fovea::serve {

/// JSON as bytes; what a model wrote that is not UTF-8 becomes U+FFFD.
std::string to_text(const Json& json);

class Exchange {
 public:
  /// How errors are told: {"error": {"message": ...}}, or {"error": "..."} as
  /// LibreTranslate does.
  enum class Errors { object, text };

  Exchange(HttpRequest request, Reply reply, Metrics& metrics, bool log);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  const HttpRequest& request() const { return request_; }
  bool gone() const { return reply_.gone(); }
  /// Before it is answered: which route it is counted for, what every answer
  /// says.
  void set_route(std::string route, Errors errors);
  void add_header(std::string name, std::string value);

  void answer(const Json& json, int status = 200);
  void send(HttpResponse response);
  void fail(int status, const std::string& message, const std::string& field = {});
  /// Of an ApiError its status and field; of others the status of their kind.
  void fail(const std::exception& error);

  /// An answer as server-sent events. After begin, an error is an event too. What is expected to
  /// be events begins by itself if it takes long.
  void expect_events();
  void begin_events();
  bool streams() const { return reply_.begun(); }
  void event(std::string_view name, const Json& data);
  void raw_event(std::string_view data);
  void end_events();

 private:
  HttpResponse events_head() const;
  void count(int status);

  HttpRequest request_;
  Reply reply_;
  Metrics& metrics_;
  bool log_;
  std::string route_ = "none";
  Errors errors_ = Errors::object;
  std::vector<std::pair<std::string, std::string>> headers_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  bool answered_ = false;
};

/// What is told to who sent no request that could be read.
HttpResponse refusal(const HttpError& error, Exchange::Errors errors = Exchange::Errors::object);

}  // namespace fovea::serve
