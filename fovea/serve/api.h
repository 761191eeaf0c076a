/// What a server answers to which request. One list of routes; a handler reads
/// a request on the front's thread, hands its lines to the engine and answers
/// when they are done.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/serve/background.h"
#include "fovea/serve/engine.h"
#include "fovea/serve/exchange.h"
#include "fovea/serve/json_body.h"
#include "fovea/serve/run_shelf.h"

namespace fovea::serve {

struct ApiConfig {
  std::vector<std::string> keys = {};  // none: everybody may ask
  std::string cors = {};               // an origin that pages may ask from, or *; "": none
  std::size_t text = 20000;            // bytes of one text
  std::size_t texts = 256;             // of one request
  Dim tokens = 1024;                   // that are written to one text at most
  Dim beam = 16;                       // the widest, and the most answers to one text
  double seconds = 60;                 // until a request is given up
  std::size_t runs = 64;               // that are kept to be looked into
  std::size_t run_bytes = 256 << 20;   // of their weights
  bool log = true;                     // a line for each request on stderr
};

/// A model as clients see it.
struct Served {
  std::string name, task;
  Abilities abilities = {};
  std::string source = {}, target = {};  // languages, of models that translate and say so

  bool writes() const { return !abilities.generates.empty(); }
  bool translates() const { return writes() && !abilities.continues; }
  WriteSettings defaults = {};
  std::shared_ptr<const Runner> runner = {};
};

/// Who translates what: the end of a name such as "multi30k-en-de" says it.
Served served(const Engine::Model& model);

class Api {
 public:
  Api(std::vector<Engine::Model> models, const ApiConfig& config, const EngineConfig& engine);

  void handle(HttpRequest request, Reply reply);
  /// Answers all that was accepted. Nothing is accepted any more.
  void finish();

  const ApiConfig& config() const { return config_; }
  const std::vector<Served>& models() const { return models_; }
  Engine& engine() { return *engine_; }
  Metrics& metrics() { return metrics_; }
  RunShelf& shelf() { return shelf_; }
  Background& background() { return *background_; }
  /// Where inputs are read: tokenized, decoded.
  Background& preparing() { return *preparing_; }
  /// What the front counts, if it is known.
  std::function<std::vector<Metrics::Gauge>()> front_gauges = {};

 private:
  void route(const std::shared_ptr<Exchange>& exchange);
  void check_key(const Exchange& exchange) const;

  ApiConfig config_;
  std::vector<Served> models_;
  Metrics metrics_;
  RunShelf shelf_;
  std::unique_ptr<Background> background_, preparing_;
  std::unique_ptr<Engine> engine_;
};

using ExchangePtr = std::shared_ptr<Exchange>;

/// A path with what is answered there. "ID" stands for any part.
struct Route {
  std::string_view method, path, summary;
  void (*handler)(Api&, const ExchangePtr&);
  bool open = false;  // to who has no key
  Exchange::Errors errors = Exchange::Errors::object;
};
std::span<const Route> routes();
/// How errors are told at a path, whatever the method and whether it is there.
Exchange::Errors errors_at(std::string_view path);
/// They as an OpenAPI document.
Json openapi();

// openai_api.cc
void get_models(Api& api, const ExchangePtr& exchange);
void post_completions(Api& api, const ExchangePtr& exchange);
void post_chat(Api& api, const ExchangePtr& exchange);
void post_embeddings(Api& api, const ExchangePtr& exchange);
// translate_api.cc
void post_translate(Api& api, const ExchangePtr& exchange);
void get_languages(Api& api, const ExchangePtr& exchange);
// run_api.cc
void post_run(Api& api, const ExchangePtr& exchange);
void get_runs(Api& api, const ExchangePtr& exchange);
void get_run(Api& api, const ExchangePtr& exchange);
void get_tile(Api& api, const ExchangePtr& exchange);
void get_received(Api& api, const ExchangePtr& exchange);
void get_measures(Api& api, const ExchangePtr& exchange);
void get_training(Api& api, const ExchangePtr& exchange);
// status_api.cc
void get_page(Api& api, const ExchangePtr& exchange);
void get_health(Api& api, const ExchangePtr& exchange);
void get_ready(Api& api, const ExchangePtr& exchange);
void get_metrics(Api& api, const ExchangePtr& exchange);
void get_openapi(Api& api, const ExchangePtr& exchange);

/// Whether two keys are the same, in a time that says nothing about where they
/// differ.
bool same_key(std::string_view given, std::string_view key);

}  // namespace fovea::serve
