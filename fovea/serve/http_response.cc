#include "fovea/serve/http_response.h"

#include <cstdio>

namespace fovea::serve {
namespace {

std::string head(const HttpResponse& response, const HttpManner& manner) {
  std::string bytes = "HTTP/1.1 " + std::to_string(response.status) + " ";
  bytes += reason_of(response.status);
  bytes += "\r\n";
  if (!response.type.empty()) bytes += "Content-Type: " + response.type + "\r\n";
  for (const auto& [name, value] : response.headers) bytes += name + ": " + value + "\r\n";
  bytes += "X-Content-Type-Options: nosniff\r\n";
  bytes += manner.keep_alive ? "Connection: keep-alive\r\n" : "Connection: close\r\n";
  return bytes;
}

}  // namespace

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

std::string to_bytes(const HttpResponse& response, const HttpManner& manner) {
  std::string bytes = head(response, manner);
  if (response.status != 204) {
    bytes += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  }
  bytes += "\r\n";
  if (!manner.head_only && response.status != 204) bytes += response.body;
  return bytes;
}

std::string stream_head(const HttpResponse& response, const HttpManner& manner) {
  std::string bytes = head(response, manner);
  if (!manner.http10) bytes += "Transfer-Encoding: chunked\r\n";
  return bytes + "\r\n" + stream_piece(response.body, manner);
}

std::string stream_piece(std::string_view bytes, const HttpManner& manner) {
  if (bytes.empty()) return {};  // an empty chunk would be the end
  if (manner.http10) return std::string(bytes);
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  std::string piece = size;
  piece += bytes;
  return piece + "\r\n";
}

std::string stream_end(const HttpManner& manner) { return manner.http10 ? "" : "0\r\n\r\n"; }

std::string event(std::string_view name, std::string_view data) {
  std::string text;
  if (!name.empty()) {
    text += "event: ";
    text += name;
    text += "\n";
  }
  text += "data: ";
  text += data;
  return text + "\n\n";
}

}  // namespace fovea::serve
