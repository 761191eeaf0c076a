/// A request of HTTP/1.1 (RFC 9112) out of bytes that come in any pieces. What
/// is read is bounded; what is not understood is refused with the status and
/// the words to say so.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fovea::serve {

/// What is answered instead of a result: a status from 400 on, and what was
/// wrong.
struct HttpError {
  int status = 400;
  std::string message;
  std::string path = {};  // that was asked for, if so much could be read
};

struct HttpRequest {
  std::string method = {}, path = {};  // the path is decoded: "/v1/runs/r 1"
  std::vector<std::pair<std::string, std::string>> query = {};    // decoded
  std::vector<std::pair<std::string, std::string>> headers = {};  // names in lower case
  std::string body = {};
  bool keep_alive = true;
  bool http10 = false;

  /// The first of this name (in lower case), or nothing.
  std::string_view header(std::string_view name) const;
  /// The same of the query.
  std::string_view argument(std::string_view name) const;
  /// The type of the body, in lower case and without parameters:
  /// "application/json".
  std::string content_type() const;
  /// Whether it was sent to an address or to this machine's own name. A page of evil.example, whose
  /// name has come to point here (DNS rebinding), is let read by browsers what it asks for there.
  bool for_this_machine() const;
};

struct RequestLimits {
  std::size_t head = 16 << 10;  // bytes of the request line and headers
  std::size_t headers = 100;
  std::size_t body = 1 << 20;
};

class RequestParser {
 public:
  explicit RequestParser(const RequestLimits& limits = {}) : limits_(limits) {}

  enum class State { head, body, chunk_size, chunk, chunk_end, trailers, done };

  /// Takes bytes until a request is whole; how many it took. Throws HttpError;
  /// nothing more can be read after that.
  std::size_t read(std::string_view bytes);

  State state() const { return state_; }
  /// Of the request that is being read; empty until it is known.
  const std::string& path() const { return request_.path; }
  bool done() const { return state_ == State::done; }
  /// Nothing of a request has come yet.
  bool idle() const { return state_ == State::head && line_.empty() && lines_ == 0; }
  /// The head is there, and its sender waits to be told to go on. Once.
  bool take_expectation() { return std::exchange(expects_, false); }
  /// The request; the parser is ready for the next one.
  HttpRequest take();

 private:
  bool read_line(std::string_view& bytes);
  void take_line(std::string_view line);
  void request_line(std::string_view line);
  void header_line(std::string_view line);
  void end_of_head();
  void chunk_size(std::string_view line);
  void grow_body(std::string_view& bytes);

  RequestLimits limits_;
  HttpRequest request_;
  State state_ = State::head;
  std::string line_;  // what has come of the current line
  std::size_t lines_ = 0, head_bytes_ = 0;
  std::size_t rest_ = 0;  // of the body or the chunk
  bool expects_ = false;
};

/// %41 and the like; '+' is a blank in queries and forms. What is no such
/// escape stays.
std::string percent_decoded(std::string_view text, bool plus_is_blank);
/// "a=1&b=%20" of a query or a form, in its order.
std::vector<std::pair<std::string, std::string>> parse_form(std::string_view text);

}  // namespace fovea::serve
