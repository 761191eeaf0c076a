#include "fovea/serve/api.h"

#include <strings.h>

#include <algorithm>

#include "fovea/unicode/utf8.h"

namespace fovea::serve {
namespace {

constexpr Route all_routes[] = {
    {"GET", "/", "The page: a playground, and where models look", get_page, true},
    {"GET", "/v1/models", "The models that are served", get_models},
    {"POST", "/v1/completions", "What follows a prompt; OpenAI's shape", post_completions},
    {"POST", "/v1/chat/completions", "The answer to messages; OpenAI's shape", post_chat},
    {"POST", "/v1/embeddings", "Vectors of texts; OpenAI's shape", post_embeddings},
    {"POST", "/translate", "Translations; LibreTranslate's shape", post_translate, false,
     Exchange::Errors::text},
    {"GET", "/languages", "Languages that are translated; LibreTranslate's shape", get_languages,
     true, Exchange::Errors::text},
    {"POST", "/v1/run", "The answer of a model of any task, and where it looked", post_run},
    {"GET", "/v1/runs", "The runs that can still be looked into", get_runs},
    {"GET", "/v1/runs/ID", "A run without its weights", get_run},
    {"GET", "/v1/runs/ID/tile", "A part of the weights of a layer", get_tile},
    {"GET", "/v1/runs/ID/received", "How much each token of a layer received", get_received},
    {"GET", "/v1/runs/ID/measures", "Entropy and distance of each head", get_measures},
    {"GET", "/v1/training/events", "How a training goes, if there is one", get_training},
    {"GET", "/healthz", "Whether the process lives", get_health, true},
    {"GET", "/readyz", "Whether more requests can be taken", get_ready, true},
    {"GET", "/metrics", "Counts and times, as Prometheus reads them", get_metrics},
    {"GET", "/openapi.json", "This description", get_openapi, true},
};

std::string_view next_part(std::string_view& path) {
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string_view part = path.substr(0, end);
  path.remove_prefix(std::min(end + 1, path.size()));
  return part;
}

bool fits(std::string_view pattern, std::string_view path) {
  if (std::count(pattern.begin(), pattern.end(), '/') !=
      std::count(path.begin(), path.end(), '/')) {
    return false;
  }
  while (!pattern.empty() || !path.empty()) {
    const std::string_view expected = next_part(pattern), found = next_part(path);
    if (expected == "ID" ? found.empty() : expected != found) return false;
  }
  return true;
}

/// "multi30k-en-de" translates en to de.
void find_languages(Served& model) {
  std::string_view name = model.name;
  const auto last = [&] {
    const std::size_t dash = name.rfind('-');
    const std::string_view part = dash == std::string_view::npos ? "" : name.substr(dash + 1);
    const bool code =
        (part.size() == 2 || part.size() == 3) &&
        std::all_of(part.begin(), part.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    name = name.substr(0, dash);
    return std::string(code ? part : "");
  };
  const std::string target = last(), source = last();
  if (!target.empty() && !source.empty()) model.source = source, model.target = target;
}

std::string methods_of(std::string_view path) {
  std::string methods;
  for (const Route& route : all_routes) {
    if (!fits(route.path, path)) continue;
    methods += methods.empty() ? "" : ", ";
    methods += route.method;
  }
  return methods;
}

}  // namespace

std::span<const Route> routes() { return all_routes; }

Exchange::Errors errors_at(std::string_view path) {
  for (const Route& route : all_routes) {
    if (fits(route.path, path)) return route.errors;
  }
  return Exchange::Errors::object;
}

Served served(const Engine::Model& from) {
  Served model{.name = from.name,
               .task = from.task,
               .abilities = from.runner->abilities(),
               .defaults = from.runner->defaults(),
               .runner = from.runner};
  if (model.translates()) find_languages(model);
  return model;
}

bool same_key(std::string_view given, std::string_view key) {
  unsigned different = given.size() == key.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {  // as long as what was given, whatever the key
    const char other = key.empty() ? '\0' : key[i % key.size()];
    different |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(other);
  }
  return different == 0;
}

Api::Api(std::vector<Engine::Model> models, const ApiConfig& config, const EngineConfig& engine)
    : config_(config),
      shelf_(config.runs, config.run_bytes),
      background_(std::make_unique<Background>(256)),
      preparing_(std::make_unique<Background>(1024)) {
  for (const Engine::Model& model : models) {
    models_.push_back(served(model));
  }
  engine_ = std::make_unique<Engine>(std::move(models), engine, metrics_);
}

void Api::finish() {
  preparing_->finish();  // what it reads goes to the engine
  engine_->finish();
  background_->finish();
}

void Api::handle(HttpRequest request, Reply reply) {
  const auto exchange =
      std::make_shared<Exchange>(std::move(request), std::move(reply), metrics_, config_.log);
  try {
    route(exchange);
  } catch (const std::exception& error) {
    exchange->fail(error);
  }
}

void Api::route(const std::shared_ptr<Exchange>& exchange) {
  const HttpRequest& request = exchange->request();
  const std::string_view origin = request.header("origin");
  const bool allowed = !config_.cors.empty() && (config_.cors == "*" || config_.cors == origin);
  if (allowed) {
    exchange->add_header("Access-Control-Allow-Origin", config_.cors);
    exchange->add_header("Vary", "Origin");
  }
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  for (const Route& route : all_routes) {
    if (!fits(route.path, request.path)) continue;
    exchange->set_route(concat(method, " ", route.path), route.errors);
    if (method == "OPTIONS" && allowed) {  // a browser asks before it asks
      exchange->add_header("Access-Control-Allow-Methods", methods_of(request.path));
      // OpenAI's client in a browser sends headers of its own.
      const std::string_view wanted = request.header("access-control-request-headers");
      exchange->add_header("Access-Control-Allow-Headers",
                           wanted.empty() ? "Authorization, Content-Type" : std::string(wanted));
      return exchange->send({.status = 204, .type = ""});
    }
    if (route.method != method) continue;
    if (!route.open) check_key(*exchange);
    return route.handler(*this, exchange);
  }
  const std::string methods = methods_of(request.path);
  exchange->set_route("none", errors_at(request.path));
  FOVEA_CHECK(!methods.empty(), ErrorKind::not_found,
              "there is nothing at this path; GET /openapi.json tells what there is");
  exchange->add_header("Allow", methods);
  throw ApiError(405, concat("this path knows ", methods));
}

/// `Authorization: Bearer KEY`; LibreTranslate's clients put it into the body.
void Api::check_key(const Exchange& exchange) const {
  if (config_.keys.empty()) return;
  const HttpRequest& request = exchange.request();
  std::string given(request.header("authorization"));
  constexpr std::string_view bearer = "Bearer ";  // in any case: RFC 9110, 11.1
  if (::strncasecmp(given.c_str(), bearer.data(), bearer.size()) == 0) {
    given.erase(0, bearer.size());
  }
  if (given.empty() && request.path == "/translate" && request.method == "POST") {
    given = Fields::of(request).text("api_key", "");
  }
  bool known = false;
  for (const std::string& key : config_.keys) known = same_key(given, key) || known;
  if (known) return;
  throw ApiError(401, given.empty() ? "this server needs a key: Authorization: Bearer KEY"
                                    : "this key is not known here");
}

}  // namespace fovea::serve
