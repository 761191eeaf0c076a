/// For tests: tiny models of four tasks, trained once, and a server of them on
/// a free port.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "fovea/serve/client_testing.h"
#include "fovea/serve/server.h"
#include "fovea/tasks/training.h"

namespace fovea::serve {

/// Folders of models that are there as long as the process.
class TinyModels {
 public:
  static const TinyModels& shared() {
    static const TinyModels models;
    return models;
  }
  ~TinyModels() { std::filesystem::remove_all(folder); }

  std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / concat("fovea.serve.", ::getpid());

 private:
  TinyModels() {
    std::filesystem::create_directories(folder);
    std::ofstream source(folder / "source"), target(folder / "target"), text(folder / "text"),
        reviews(folder / "reviews"), pairs(folder / "pairs");
    const char* const words[][2] = {{"one", "eins"}, {"two", "zwei"}, {"three", "drei"}};
    for (int i = 0; i < 90; ++i) {
      source << words[i % 3][0] << (i % 2 == 0 ? " " : "\n");
      target << words[i % 3][1] << (i % 2 == 0 ? " " : "\n");
      text << "abcdefgh"[i % 8] << "abcdefgh"[(i + 1) % 8] << (i % 5 == 0 ? "\n" : "");
      reviews << (i % 2 == 0 ? "pos so good film " : "neg so bad film ") << i % 5 << "\n";
      pairs << words[i % 3][0] << "\t" << words[i % 3][1] << "\n";
    }
    for (std::ofstream* file : {&source, &target, &text, &reviews, &pairs}) file->close();
    train_model("tiny-en-de", R"(
task = "translate"
data = { train = ["source", "target"], dev = ["source", "target"] }
text = { joint = false, source = { kind = "words" }, target = { kind = "words" } }
model = { encoder_layers = 1, decoder_layers = 1, width = 16, heads = 2, hidden = 16, dropout = 0.0 }
train = { steps = 60, validate_every = 60, schedule = { kind = "constant", rate = 1e-2, warmup = 1 } }
decode = { beam = 3 }
)");
    train_model("letters", R"(
task = "language"
data = { train = ["text"], dev = ["text"] }
batch = { context = 16, sequences = 8 }
model = { layers = 1, width = 16, hidden = 16, heads = 2, dropout = 0.0 }
train = { steps = 40, validate_every = 40, schedule = { kind = "constant", rate = 1e-2, warmup = 1 } }
decode = { search = "sample", max_length = 12 }
)");
    train_model("reviews-model", R"(
task = "classify"
data = { train = ["reviews#first", "reviews#rest"], dev = ["reviews#first", "reviews#rest"] }
model = { width = 16 }
train = { epochs = 10, watch = "accuracy", schedule = { kind = "constant", rate = 1e-2, warmup = 1 } }
)");
    train_model("vectors", R"(
task = "embed"
data = { train = ["pairs#1", "pairs#2"], dev = ["pairs#1", "pairs#2"] }
words = { kind = "words", vocabulary = 0 }
model = { encoder = { layers = 1, width = 16, hidden = 16, heads = 2, dropout = 0.0 } }
train = { epochs = 2, watch = "accuracy", schedule = { kind = "constant", rate = 1e-2, warmup = 1 } }
)");
    std::ofstream images(folder / "images.idx", std::ios::binary), labels(folder / "labels.idx");
    images.write("\0\0\x08\3\0\0\0\4\0\0\0\4\0\0\0\4", 16);
    labels.write("\0\0\x08\1\0\0\0\4", 8);
    for (int i = 0; i < 4; ++i) {
      images << std::string(16, i % 2 == 0 ? '\0' : '\xFF');
      labels << static_cast<char>(i % 2);
    }
    for (std::ofstream* file : {&images, &labels}) file->close();
    train_model("black-or-white", R"(
task = "classify-image"
data = { train = ["images.idx", "labels.idx"], names = ["black", "white"] }
model = { patch = 2, layers = 1, width = 8, heads = 2, hidden = 8 }
train = { steps = 60, schedule = { kind = "constant", rate = 1e-2, warmup = 1 } }
)");
  }

  void train_model(const std::string& name, const char* toml) const {
    std::ofstream(folder / "recipe.toml") << toml;
    const auto training = Training::of(RecipeFile::open((folder / "recipe.toml").string()));
    const auto work = training->workload(folder / name, false);
    train(*work, training->config(), {.folder = folder / name, .quiet = true});
  }
};

inline ServerConfig quiet() {
  ServerConfig config;
  config.api.log = false;
  return config;
}

class TestServer {
 public:
  explicit TestServer(const ServerConfig& config = quiet(),
                      const std::vector<std::string>& settings = {})
      : server_(models(settings), config), thread_([this] { server_.run(); }) {}
  ~TestServer() { stop(); }

  int port() const { return server_.port(); }
  void ask_to_stop() { server_.stop(); }
  void stop() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }

  ClientAnswer get(const std::string& path, const std::string& headers = {}) const {
    return Client(port()).get(path, headers);
  }
  ClientAnswer post(const std::string& path, const Json& body,
                    const std::string& headers = {}) const {
    return Client(port()).post(path, body.dump(), headers);
  }

 private:
  static std::vector<Engine::Model> models(const std::vector<std::string>& settings) {
    std::vector<Engine::Model> all;
    for (const char* name :
         {"tiny-en-de", "letters", "reviews-model", "vectors", "black-or-white"}) {
      const bool writes = name == std::string("tiny-en-de") || name == std::string("letters");
      all.push_back(load_model((TinyModels::shared().folder / name).string(),
                               writes ? settings : std::vector<std::string>()));
    }
    return all;
  }

  Server server_;
  std::thread thread_;
};

/// What `fovea run` would say.
inline Answer alone(const char* model, const std::string& line,
                    const std::vector<std::string>& settings = {}) {
  return Runner::load(TinyModels::shared().folder / model, settings)
      ->run(std::span(&line, 1), {})[0];
}

/// The data of all events of this name ("": without one).
inline std::vector<std::string> events_of(const std::string& body, const std::string& name) {
  std::vector<std::string> all;
  std::size_t at = 0;
  while (at < body.size()) {
    const std::size_t end = body.find("\n\n", at);
    std::string_view event = std::string_view(body).substr(at, end - at);
    std::string found;
    if (event.starts_with("event: ")) {
      found = event.substr(7, event.find('\n') - 7);
      event.remove_prefix(event.find('\n') + 1);
    }
    if (found == name && event.starts_with("data: ")) all.emplace_back(event.substr(6));
    at = end + 2;
  }
  return all;
}

}  // namespace fovea::serve
