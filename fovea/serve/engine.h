/// The thread that computes: all models of a server, the lines of all its
/// clients. Lines that wait are joined into batches; of models that write, a
/// line that is done leaves and one that waits enters between two steps. Loops
/// inside run on all cores, so one such thread is enough.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fovea/serve/metrics.h"
#include "fovea/tasks/runner.h"

namespace fovea::serve {

/// What a line was answered, or why not.
struct Said {
  int status = 200;
  std::string error = {};                // if there is one, the rest is empty
  std::string text = {};                 // the best answer
  std::vector<WrittenText> texts = {};   // of models that write
  Json json = {};                        // of others: all that the answer says
  Dim read = 0;                          // tokens
  bool cut = false;                      // the line was longer than the model reads
  std::optional<RunRecord> record = {};  // if attention was asked for
  std::string unseen = {};               // why there is no record, though one was asked for
};

/// A line to be answered. All functions are called on the thread that computes.
struct Ask {
  Input input;
  std::shared_ptr<const Prepared> prepared = {};  // Runner::prepare()
  WriteSettings settings = {};                    // of models that write
  Dim number = 0;
  std::optional<RecordOptions> attention = {};
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<void(std::string_view)> on_text = {};
  std::function<void(const std::vector<std::string>&)> on_pieces = {};
  std::function<bool()> gone = {};  // nobody waits any more
  std::function<void(Said)> done = {};
};

struct EngineConfig {
  std::size_t queue = 1024;  // lines that may wait
  Dim rows = 256;            // of a step: texts that are written at once, a beam's each
  Dim tokens = 4096;         // of a turn of a model that answers inputs whole
};

class Engine {
 public:
  struct Model {
    std::string name, task;
    std::shared_ptr<Runner> runner;
  };
  Engine(std::vector<Model> models, const EngineConfig& config, Metrics& metrics);
  ~Engine();

  /// False if so many cannot wait; none of them is taken then.
  bool submit(std::size_t model, std::vector<Ask> asks);
  std::size_t waiting() const;
  bool full() const { return waiting() >= config_.queue; }
  /// Lines that are being answered.
  std::size_t working() const;
  /// Answers all that was taken, then the thread ends.
  void finish();

 private:
  struct Lane;
  void work();

  EngineConfig config_;
  Metrics& metrics_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::size_t waiting_ = 0, working_ = 0;
  bool finishing_ = false;
  std::thread thread_;
};

}  // namespace fovea::serve
