/// The front of a server: connections of HTTP/1.1 on one thread, none of which
/// can hold up the others. Sockets never block (epoll); what is read and
/// written is bounded; who is slow is given a time and then let go.
///
///   HttpFront front({.port = 8080}, [](HttpRequest request, Reply reply) {
///     reply.send({.body = "{}"});   // now, or later from any thread
///   });
///   front.run();                    // until front.stop(), from any thread or
///   a signal handler
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "fovea/serve/http_request.h"
#include "fovea/serve/http_response.h"

namespace fovea::serve {

struct FrontConfig {
  std::string host = "127.0.0.1";
  int port = 0;  // 0: any that is free
  std::size_t connections = 10000;
  RequestLimits limits = {};
  double read_seconds = 20;      // for a whole request, from its first byte on
  double idle_seconds = 75;      // between requests
  double write_seconds = 20;     // while a client takes nothing of what is sent to it
  double silent_seconds = 15;    // of a stream of events, until a comment says that it goes on
  std::size_t unsent = 4 << 20;  // bytes of a stream that wait for a client;
                                 // beyond it, it is let go
  double drain_seconds = 30;     // after stop(), until what was accepted has been answered
  bool own_names = false;        // refuses requests that are for other names than this machine's
};

/// Whether only this machine can connect to who listens there.
inline bool is_loopback(std::string_view host) {
  return host == "127.0.0.1" || host == "localhost" || host == "::1";
}

/// Where the answer to one request goes. Copies are the same. If none is left
/// and nothing was sent, the client is told that something failed.
class Reply {
 public:
  struct Shared;
  explicit Reply(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  /// The whole answer. False, and nothing is sent, if an answer in pieces has begun.
  bool send(HttpResponse response) const;
  /// An answer in pieces: begin, write any number of times, end. Of a stream of events that is
  /// silent for long the front sends comments, so that no proxy takes it for dead.
  void begin(HttpResponse response) const;
  /// Such an answer will begin with this head, unless something goes wrong before. If it takes
  /// long, the front begins it: what goes wrong afterwards must be told in the stream.
  void expect(HttpResponse head) const;
  bool begun() const;
  void write(std::string_view bytes) const;
  void end() const;
  /// Nobody waits for it any more.
  bool gone() const;

 private:
  std::shared_ptr<Shared> shared_;
};

class HttpFront {
 public:
  using Handler = std::function<void(HttpRequest, Reply)>;
  /// What is answered to requests that are no requests; the default is plain
  /// JSON.
  using Refusal = std::function<HttpResponse(const HttpError&)>;

  struct Counts {
    std::atomic<std::int64_t> open{0}, accepted{0}, refused{0}, malformed{0}, timed_out{0};
  };

  /// Listens from now on.
  HttpFront(FrontConfig config, Handler handler, Refusal refusal);
  ~HttpFront();
  HttpFront(const HttpFront&) = delete;
  HttpFront& operator=(const HttpFront&) = delete;

  int port() const;
  const Counts& counts() const;
  /// Serves until stop(): then takes no more requests, waits for the answers to
  /// those it has, and returns.
  void run();
  /// May be called in a signal handler.
  void stop();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace fovea::serve
