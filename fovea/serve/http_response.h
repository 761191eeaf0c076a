/// What is sent back over HTTP/1.1.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fovea::serve {

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// How the client can be spoken to.
struct HttpManner {
  bool keep_alive = true;
  bool http10 = false;
  bool head_only = false;  // HEAD: no body
};

std::string_view reason_of(int status);
/// A whole answer as bytes.
std::string to_bytes(const HttpResponse& response, const HttpManner& manner);
/// The head of an answer whose body comes in pieces; `response.body` is its
/// first piece.
std::string stream_head(const HttpResponse& response, const HttpManner& manner);
/// A piece of such a body, and its end.
std::string stream_piece(std::string_view bytes, const HttpManner& manner);
std::string stream_end(const HttpManner& manner);

/// A server-sent event (HTML standard, 9.2). `data` stands on one line.
std::string event(std::string_view name, std::string_view data);

}  // namespace fovea::serve
