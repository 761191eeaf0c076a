#include "fovea/serve/exchange.h"

#include <cstdio>

namespace fovea::serve {
namespace {

/// OpenAI's names of kinds of errors.
std::string_view kind_of(int status) {
  if (status == 401) return "authentication_error";
  if (status == 404) return "not_found_error";
  if (status == 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

Json error_json(Exchange::Errors errors, int status, const std::string& message,
                const std::string& field) {
  if (errors == Exchange::Errors::text) return {{"error", message}};
  return {{"error",
           {{"message", message},
            {"type", kind_of(status)},
            {"param", field.empty() ? Json() : Json(field)},
            {"code", nullptr}}}};
}

}  // namespace

std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

HttpResponse refusal(const HttpError& error, Exchange::Errors errors) {
  return {.status = error.status,
          .body = to_text(error_json(errors, error.status, error.message, {}))};
}

Exchange::Exchange(HttpRequest request, Reply reply, Metrics& metrics, bool log)
    : request_(std::move(request)), reply_(std::move(reply)), metrics_(metrics), log_(log) {}

Exchange::~Exchange() {
  if (answered_) return;
  if (streams()) reply_.end();
  constexpr int client_closed_request = 499;  // as nginx counts it
  count(gone() ? client_closed_request : 500);
}

void Exchange::set_route(std::string route, Errors errors) {
  route_ = std::move(route);
  errors_ = errors;
}

void Exchange::add_header(std::string name, std::string value) {
  headers_.emplace_back(std::move(name), std::move(value));
}

void Exchange::answer(const Json& json, int status) {
  send({.status = status, .body = to_text(json)});
}

void Exchange::send(HttpResponse response) {
  if (answered_) return;
  for (const auto& header : headers_) response.headers.push_back(header);
  const int status = response.status;
  if (reply_.send(std::move(response))) count(status);
}

void Exchange::fail(int status, const std::string& message, const std::string& field) {
  if (answered_) return;
  const Json json = error_json(errors_, status, message, field);
  if (!streams()) {
    if (status == 429 || status == 503) add_header("Retry-After", "1");
    if (status == 401) add_header("WWW-Authenticate", "Bearer");
    answer(json, status);
    if (answered_) return;  // otherwise the front has begun the stream meanwhile
  }
  event("error", json);
  reply_.end();
  count(status);
}

void Exchange::fail(const std::exception& error) {
  if (const auto* own = dynamic_cast<const ApiError*>(&error)) {
    return fail(own->status, own->what(), own->field);
  }
  fail(http_status(error_kind(error)), error.what());
}

HttpResponse Exchange::events_head() const {
  HttpResponse head{.type = "text/event-stream", .headers = headers_};
  head.headers.emplace_back("Cache-Control", "no-cache");
  return head;
}

void Exchange::expect_events() { reply_.expect(events_head()); }

void Exchange::begin_events() { reply_.begin(events_head()); }

void Exchange::event(std::string_view name, const Json& data) {
  reply_.write(serve::event(name, to_text(data)));
}

void Exchange::raw_event(std::string_view data) { reply_.write(serve::event("", data)); }

void Exchange::end_events() {
  if (answered_) return;
  reply_.end();
  count(200);
}

void Exchange::count(int status) {
  answered_ = true;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  metrics_.request(route_, status, seconds);
  if (!log_) return;
  std::fprintf(stderr, "%s %d %.1f ms\n", route_.c_str(), status, 1000 * seconds);
}

}  // namespace fovea::serve
