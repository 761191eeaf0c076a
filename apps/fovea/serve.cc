#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "commands.h"
#include "fovea/serve/server.h"
#include "products_option.h"

namespace fovea::app {
namespace {

struct ServeArguments {
  std::vector<std::string> models, settings, keys;
  serve::ServerConfig config = {.front = {.port = 8080}};
  bool quiet = false;
};

std::atomic<serve::Server*> serving{nullptr};

/// The first signal asks to answer what was accepted, the second ends the
/// process.
void stop(int signal) {
  serve::Server* server = serving.exchange(nullptr);
  if (server == nullptr) std::_Exit(128 + signal);
  server->stop();
}

void listen_to_signals() {
  struct sigaction action = {};
  action.sa_handler = stop;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

void serve_command(ServeArguments& options) {
  if (const char* key = std::getenv("FOVEA_API_KEY"); key != nullptr && *key != '\0') {
    options.keys.emplace_back(key);
  }
  for (const std::string& key : options.keys) {
    FOVEA_CHECK(key.size() >= 8, ErrorKind::bad_setting,
                "serve: a key of fewer than 8 characters is guessed too easily");
  }
  options.config.api.keys = options.keys;
  options.config.api.log = !options.quiet;
  std::vector<serve::Engine::Model> models;
  std::string names;
  for (const std::string& argument : options.models) {
    models.push_back(serve::load_model(argument, options.settings));
    for (std::size_t i = 0; i + 1 < models.size(); ++i) {
      FOVEA_CHECK(models[i].name != models.back().name, ErrorKind::bad_setting,
                  "serve: two models are called '", models[i].name, "'; name them: NAME=FOLDER");
    }
    names += concat(names.empty() ? "" : ", ", models.back().name);
  }
  const auto& [host, port] = std::pair(options.config.front.host, options.config.front.port);
  serve::Server server(std::move(models), options.config);
  serving = &server;
  listen_to_signals();
  std::fprintf(stderr, "serving %s on http://%s:%d/\n", names.c_str(), host.c_str(), server.port());
  if (options.keys.empty() && !serve::is_loopback(host)) {
    std::fprintf(stderr,
                 "fovea: %s can be reached by others, and no key is asked for: "
                 "--api-key\n",
                 host.c_str());
  }
  std::fflush(stderr);
  server.run();
  serving = nullptr;
  std::fprintf(stderr, "stopped\n");
}

}  // namespace

void add_serve(CLI::App& app) {
  CLI::App* command = app.add_subcommand("serve", "Serve models over HTTP, with a page");
  auto options = std::make_shared<ServeArguments>();
  serve::ServerConfig& config = options->config;
  command->add_option("models", options->models, "Folders of trained models, or NAME=FOLDER")
      ->required();
  command->add_option("--host", config.front.host, "Address to listen on")->capture_default_str();
  command->add_option("--port", config.front.port, "Port to listen on; 0: any that is free")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command
      ->add_option("--api-key", options->keys,
                   "What clients must send (or FOVEA_API_KEY); several: "
                   "--api-key A --api-key B")
      ->allow_extra_args(false);
  command->add_option("--cors", config.api.cors, "Origin whose pages may ask, or *");
  const auto limit = [&](const char* name, auto& value, const char* help) {
    command->add_option(name, value, help)->check(CLI::PositiveNumber)->capture_default_str();
  };
  limit("--max-body", config.front.limits.body, "Bytes of a request");
  limit("--max-text", config.api.text, "Bytes of a text");
  limit("--max-texts", config.api.texts, "Texts of a request");
  limit("--max-tokens", config.api.tokens, "Tokens that are written to a text");
  limit("--max-connections", config.front.connections, "Open connections");
  limit("--queue", config.engine.queue, "Texts that may wait; beyond it, 429");
  limit("--rows", config.engine.rows, "Texts that are written together, each of a beam counted");
  limit("--timeout", config.api.seconds, "Seconds until a request is given up");
  limit("--runs", config.api.runs, "Runs that are kept to be looked into");
  command->add_option("--set", options->settings, "A setting of all models: --set decode.beam=1")
      ->allow_extra_args(false);
  command->add_flag("--quiet", options->quiet, "No line for each request on stderr");
  add_products(*command);
  command->footer(
      "Ctrl-C or SIGTERM answers what was accepted, then stops. "
      "docs/serve.md tells what is asked "
      "how.\n"
      "\n"
      "  fovea serve runs/multi30k-en-de runs/shakespeare\n"
      "  curl localhost:8080/translate -d q='A dog runs.' -d "
      "source=en -d target=de");
  command->callback([options] { serve_command(*options); });
}

}  // namespace fovea::app
