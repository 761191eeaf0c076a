#include "fovea/serve/http_request.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace fovea::serve {
namespace {

bool is_token(char c) {  // RFC 9110, 5.6.2
  const auto u = static_cast<unsigned char>(c);
  if ((u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z')) return true;
  return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool all_tokens(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// A whole number and nothing else.
std::optional<std::size_t> number_of(std::string_view text, int base) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string_view find(const std::vector<std::pair<std::string, std::string>>& pairs,
                      std::string_view name) {
  for (const auto& [key, value] : pairs) {
    if (key == name) return value;
  }
  return {};
}

/// Whether one of the words of a list ("close, TE") is this one.
bool lists(std::string_view value, std::string_view word) {
  while (!value.empty()) {
    const std::size_t comma = std::min(value.find(','), value.size());
    if (lower(trimmed(value.substr(0, comma))) == word) return true;
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return false;
}

}  // namespace

std::string_view HttpRequest::header(std::string_view name) const { return find(headers, name); }
std::string_view HttpRequest::argument(std::string_view name) const { return find(query, name); }

std::string HttpRequest::content_type() const {
  const std::string_view type = header("content-type");
  return lower(trimmed(type.substr(0, type.find(';'))));
}

bool HttpRequest::for_this_machine() const {
  const std::string host = lower(header("host"));
  if (host.starts_with('[')) return true;  // an address of IPv6
  const std::string name = host.substr(0, host.find(':'));
  if (name.find_first_not_of("0123456789.") == std::string::npos) return true;
  char own[256] = {};
  ::gethostname(own, sizeof own - 1);
  return name == "localhost" || name.ends_with(".localhost") || name == lower(own);
}

std::string percent_decoded(std::string_view text, bool plus_is_blank) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      result += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      result += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> parse_form(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (!pair.empty()) {
      pairs.emplace_back(percent_decoded(pair.substr(0, equals), true),
                         percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pairs;
}

std::size_t RequestParser::read(std::string_view bytes) {
  const std::size_t given = bytes.size();
  while (state_ != State::done) {
    if (state_ == State::body || state_ == State::chunk) {
      if (bytes.empty()) break;
      grow_body(bytes);
    } else {
      if (!read_line(bytes)) break;
      take_line(std::exchange(line_, {}));
    }
  }
  return given - bytes.size();
}

/// True when the line is whole, without its end. A bare line feed ends a line
/// too.
bool RequestParser::read_line(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  const std::string_view part = bytes.substr(0, end);
  const bool whole = end != std::string_view::npos;
  head_bytes_ += part.size() + (whole ? 1 : 0);
  if (head_bytes_ > limits_.head) {
    throw HttpError{431, "the request line and headers are longer than " +
                             std::to_string(limits_.head) + " bytes"};
  }
  line_ += part;
  bytes.remove_prefix(part.size() + (whole ? 1 : 0));
  if (whole && !line_.empty() && line_.back() == '\r') line_.pop_back();
  return whole;
}

void RequestParser::take_line(std::string_view line) {
  switch (state_) {
    case State::head:
      if (lines_ == 0) {
        // RFC 9112, 2.2: an empty line before a request is passed over.
        if (line.empty()) return;
        request_line(line);
      } else if (line.empty()) {
        return end_of_head();
      } else {
        header_line(line);
      }
      ++lines_;
      return;
    case State::chunk_size:
      return chunk_size(line);
    case State::chunk_end:
      if (!line.empty()) throw HttpError{400, "a chunk of the body is longer than it says"};
      head_bytes_ = 0;
      state_ = State::chunk_size;
      return;
    case State::trailers:  // nobody needs them
      if (line.empty()) state_ = State::done;
      return;
    case State::body:
    case State::chunk:
    case State::done:
      return;
  }
}

void RequestParser::request_line(std::string_view line) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    throw HttpError{400, "this is no request of HTTP/1.1: expected 'METHOD /path HTTP/1.1'"};
  }
  const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
  std::string_view target = line.substr(first + 1, last - first - 1);
  if (!all_tokens(method)) throw HttpError{400, "the method of the request is no word"};
  if (version == "HTTP/1.0") {
    request_.http10 = true;
    request_.keep_alive = false;
  } else if (version != "HTTP/1.1") {
    throw HttpError{505, "expected HTTP/1.1 or HTTP/1.0"};
  }
  for (const char c : target) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7F') {
      throw HttpError{400, "the path of the request has blanks or control characters in it"};
    }
  }
  if (target.starts_with("http://") || target.starts_with("https://")) {  // as proxies are asked
    const std::size_t path = target.find('/', target.find("://") + 3);
    target = path == std::string_view::npos ? "/" : target.substr(path);
  }
  if (!target.starts_with('/')) throw HttpError{400, "the path of the request must begin with /"};
  target = target.substr(0, target.find('#'));
  const std::size_t mark = std::min(target.find('?'), target.size());
  request_.method = method;
  request_.path = percent_decoded(target.substr(0, mark), false);
  request_.query = parse_form(target.substr(std::min(mark + 1, target.size())));
}

void RequestParser::header_line(std::string_view line) {
  if (request_.headers.size() >= limits_.headers) {
    throw HttpError{431, "more than " + std::to_string(limits_.headers) + " headers"};
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !all_tokens(line.substr(0, colon))) {
    throw HttpError{400, "a header is not of the form 'name: value'"};
  }
  const std::string_view value = trimmed(line.substr(colon + 1));
  for (const char c : value) {
    const auto u = static_cast<unsigned char>(c);
    if ((u < ' ' && c != '\t') || u == 0x7F) {
      throw HttpError{400, "a header has control characters in its value"};
    }
  }
  request_.headers.emplace_back(lower(line.substr(0, colon)), value);
}

void RequestParser::end_of_head() {
  std::size_t hosts = 0, lengths = 0, encodings = 0;
  for (const auto& [name, value] : request_.headers) {
    hosts += name == "host" ? 1 : 0;
    lengths += name == "content-length" ? 1 : 0;
    encodings += name == "transfer-encoding" ? 1 : 0;
    if (name != "connection") continue;
    if (lists(value, "close")) request_.keep_alive = false;
    if (request_.http10 && lists(value, "keep-alive")) request_.keep_alive = true;
  }
  if (hosts > 1 || (hosts == 0 && !request_.http10)) {
    throw HttpError{400, "expected one Host header"};
  }
  expects_ = lower(request_.header("expect")) == "100-continue";
  head_bytes_ = 0;
  if (encodings > 0) {
    // Two ways to say how long a body is are how requests are smuggled past
    // proxies.
    if (lengths > 0)
      throw HttpError{400, "Content-Length and Transfer-Encoding exclude each other"};
    if (encodings > 1 || request_.http10 ||
        lower(request_.header("transfer-encoding")) != "chunked") {
      throw HttpError{501, "of transfer encodings only 'chunked' is known"};
    }
    state_ = State::chunk_size;
    return;
  }
  if (lengths == 0) {
    expects_ = false;
    state_ = State::done;
    return;
  }
  const auto length = number_of(request_.header("content-length"), 10);
  if (!length || lengths > 1) throw HttpError{400, "Content-Length is no whole number"};
  if (*length > limits_.body) {
    throw HttpError{413, "the body has " + std::to_string(*length) + " bytes; at most " +
                             std::to_string(limits_.body) + " are taken"};
  }
  rest_ = *length;
  if (rest_ == 0) expects_ = false;
  state_ = rest_ == 0 ? State::done : State::body;
}

void RequestParser::chunk_size(std::string_view line) {
  const auto size = number_of(trimmed(line.substr(0, line.find(';'))), 16);
  if (!size) throw HttpError{400, "the size of a chunk of the body is no hexadecimal number"};
  if (*size > limits_.body || request_.body.size() + *size > limits_.body) {
    throw HttpError{413, "the body is longer than " + std::to_string(limits_.body) + " bytes"};
  }
  head_bytes_ = 0;
  rest_ = *size;
  state_ = rest_ == 0 ? State::trailers : State::chunk;
}

void RequestParser::grow_body(std::string_view& bytes) {
  const std::size_t taken = std::min(rest_, bytes.size());
  request_.body += bytes.substr(0, taken);
  bytes.remove_prefix(taken);
  rest_ -= taken;
  if (rest_ == 0) state_ = state_ == State::body ? State::done : State::chunk_end;
}

HttpRequest RequestParser::take() {
  HttpRequest request = std::exchange(request_, {});
  state_ = State::head;
  line_.clear();
  lines_ = head_bytes_ = rest_ = 0;
  expects_ = false;
  return request;
}

}  // namespace fovea::serve
