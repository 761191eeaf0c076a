// Requests of HTTP, in pieces whose size the first byte says: whatever comes is
// read or refused, the same in any pieces, and no more is held than the limits
// allow.
#include "fovea/serve/http_request.h"

#include <cstdlib>

namespace {

using namespace fovea::serve;

constexpr RequestLimits limits{.head = 512, .headers = 8, .body = 256};

/// All requests in these bytes as one text, and how it ended.
std::string read_all(std::string_view bytes, std::size_t piece) {
  RequestParser parser(limits);
  std::string all;
  try {
    while (!bytes.empty()) {
      const std::string_view some = bytes.substr(0, piece);
      const std::size_t taken = parser.read(some);
      if (taken > some.size() || (taken < some.size() && !parser.done())) std::abort();
      bytes.remove_prefix(taken);
      if (!parser.done()) continue;
      const HttpRequest request = parser.take();
      if (request.body.size() > limits.body || request.headers.size() > limits.headers)
        std::abort();
      all += request.method + " " + request.path + " " + request.body + request.content_type();
      for (const auto& [name, value] : request.query) all += name + "=" + value + "&";
      for (const auto& [name, value] : request.headers) all += name + ":" + value + "\n";
      all += request.keep_alive ? "+" : "-";
    }
  } catch (const HttpError& error) {
    if (error.status < 400 || error.message.empty()) std::abort();
    return all + " " + std::to_string(error.status);
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t piece = 1 + data[0] % 16;
  if (read_all(bytes, piece) != read_all(bytes, bytes.size() + 1)) std::abort();
  return 0;
}
