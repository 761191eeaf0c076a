#include "fovea/serve/engine.h"

#include <algorithm>

#include "fovea/serve/api_error.h"

namespace fovea::serve {
namespace {

using Clock = std::chrono::steady_clock;

bool same(const RecordOptions& a, const RecordOptions& b) {
  return a.layers == b.layers && a.heads == b.heads && a.keep == b.keep && a.top == b.top &&
         a.words == b.words && a.limit == b.limit;
}

}  // namespace

/// One model and its lines.
struct Engine::Lane {
  Lane(Model with, const EngineConfig& config, Metrics& metrics)
      : model(std::move(with)),
        session(model.runner->session()),
        generates(!model.runner->abilities().generates.empty()),
        most_rows(generates ? config.rows : config.tokens),
        metrics(metrics) {}

  /// Does one turn with the requests that enter now.
  void turn(std::vector<Ask> fresh) {
    drop_unwanted();
    enter(std::move(fresh));
    if (!session->empty()) step();
  }
  bool busy() const { return !open.empty(); }

  /// What a request adds to the rows of a turn.
  static Dim rows_of(const Ask& ask) {
    if (ask.prepared) return ask.prepared->rows;
    const DecodeConfig& decode = ask.settings.decode;
    return decode.search == Search::beam ? decode.beam : decode.n_best;
  }

  /// How many of those that wait should enter now: as many as fill a turn. Reading a line is a
  /// small batch of its own, so while others are being written, several enter at once or one that
  /// has waited for some steps.
  std::size_t entering(std::size_t waiting) {
    constexpr int patience = 4;
    if (waiting == 0) return 0;
    if (generates && !session->empty()) {
      if (session->rows() >= most_rows) return 0;
      if (waiting * 8 < open.size() && ++patient < patience) return 0;
    }
    patient = 0;
    Dim rows = session->rows();
    std::size_t count = 0;
    while (count < waiting && (rows < most_rows || (count == 0 && session->empty()))) {
      rows += rows_of(waits[count]);
      ++count;
    }
    return count;
  }

  void enter(std::vector<Ask> fresh) {
    std::vector<WriteRequest> requests;
    for (Ask& ask : fresh) {
      if (unwanted(ask)) continue;
      const Dim key = next_key++;
      requests.push_back({key, ask.input.text, ask.settings, ask.number, ask.on_text, ask.on_pieces,
                          ask.attention, ask.prepared});
      open.emplace(key, std::move(ask));
    }
    if (requests.empty()) return;
    if (generates) metrics.batch(model.name, std::ssize(requests));
    try {
      answer(session->admit(std::move(requests)));
    } catch (const std::exception& error) {
      fail_all(error.what());
    }
  }

  void step() {
    if (generates) metrics.batch(model.name, session->rows());
    try {
      answer(session->step(most_rows));
    } catch (const std::exception& error) {
      fail_all(error.what());
    }
  }

  /// The model itself failed: whoever waits for it is told, and it begins anew.
  void fail_all(const std::string& error) {
    session = model.runner->session();
    for (auto& [key, ask] : std::exchange(open, {})) ask.done({.status = 500, .error = error});
  }

  void answer(std::vector<WrittenLine> lines) {
    if (!generates && !lines.empty()) metrics.batch(model.name, std::ssize(lines));
    std::vector<Ask> asks;
    std::vector<Said> said;
    for (WrittenLine& line : lines) {
      auto at = open.find(line.key);
      asks.push_back(std::move(at->second));
      open.erase(at);
      if (!line.error.empty()) {
        said.push_back({.status = http_status(line.error_kind), .error = std::move(line.error)});
        continue;
      }
      if (line.answer) {
        said.push_back({.text = std::move(line.answer->text),
                        .json = std::move(line.answer->json),
                        .read = line.read,
                        .cut = line.cut});
        continue;
      }
      Dim written = 0;
      for (const WrittenText& text : line.texts) written += text.tokens;
      metrics.tokens(model.name, line.read, written);
      said.push_back({.text = line.texts.at(0).text,
                      .texts = std::move(line.texts),
                      .read = line.read,
                      .cut = line.cut,
                      .record = std::move(line.record)});
    }
    record(asks, said);
    for (std::size_t i = 0; i < asks.size(); ++i) asks[i].done(std::move(said[i]));
  }

  /// One more pass over the answers of those that want to see where the model
  /// looked, and of which that was not seen while they were written: together,
  /// if they want the same.
  void record(std::span<const Ask> asks, std::span<Said> said) {
    std::vector<bool> done(asks.size());
    for (std::size_t i = 0; i < asks.size(); ++i) {
      done[i] = !asks[i].attention || !said[i].error.empty() || said[i].record;
    }
    for (std::size_t i = 0; i < asks.size(); ++i) {
      if (done[i]) continue;
      std::vector<std::size_t> group;
      std::vector<Input> inputs;
      std::vector<std::string> answers;
      for (std::size_t j = i; j < asks.size(); ++j) {
        if (done[j] || !same(*asks[i].attention, *asks[j].attention)) continue;
        done[j] = true;
        group.push_back(j);
        inputs.push_back(asks[j].input);
        if (generates) answers.push_back(said[j].text);
      }
      try {
        auto records = model.runner->record(inputs, answers, *asks[i].attention);
        for (std::size_t k = 0; k < group.size(); ++k) {
          said[group[k]].record = std::move(records[k]);
        }
      } catch (const std::exception& error) {
        for (const std::size_t j : group) said[j].unseen = error.what();
      }
    }
    for (std::size_t i = 0; i < asks.size(); ++i) {
      if (!said[i].record) continue;
      said[i].record->model = model.name;
      said[i].record->input = asks[i].input.text;
    }
  }

  void drop_unwanted() {
    std::map<Dim, bool> dropped;
    for (auto& [key, ask] : open) {
      if (unwanted(ask)) dropped[key] = true;
    }
    if (dropped.empty()) return;
    session->drop([&](Dim key) { return dropped.contains(key); });
    for (const auto& [key, yes] : dropped) open.erase(key);
  }

  /// Whoever waits has gone, or has been told that it took too long.
  static bool unwanted(Ask& ask) {
    if (ask.gone && ask.gone()) return true;
    if (ask.deadline > Clock::now()) return false;
    ask.done({.status = 504, .error = "the answer took longer than this server allows"});
    return true;
  }

  Model model;
  std::unique_ptr<Session> session;
  bool generates;
  Dim most_rows;  // of a turn
  Metrics& metrics;
  std::deque<Ask> waits;    // guarded by the engine's mutex
  std::map<Dim, Ask> open;  // being written
  Dim next_key = 1;
  int patient = 0;  // steps since somebody could have entered
};

Engine::Engine(std::vector<Model> models, const EngineConfig& config, Metrics& metrics)
    : config_(config), metrics_(metrics) {
  for (Model& model : models) {
    lanes_.push_back(std::make_unique<Lane>(std::move(model), config_, metrics_));
  }
  thread_ = std::thread([this] { work(); });
}

Engine::~Engine() { finish(); }

bool Engine::submit(std::size_t model, std::vector<Ask> asks) {
  {
    const std::lock_guard lock(mutex_);
    if (finishing_ || waiting_ + asks.size() > config_.queue) return false;
    waiting_ += asks.size();
    for (Ask& ask : asks) lanes_.at(model)->waits.push_back(std::move(ask));
  }
  changed_.notify_one();
  return true;
}

std::size_t Engine::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

std::size_t Engine::working() const {
  const std::lock_guard lock(mutex_);
  return working_;
}

void Engine::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Engine::work() {
  const auto busy = [&] {
    return std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->busy(); });
  };
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return waiting_ > 0 || finishing_ || busy(); });
      if (finishing_ && waiting_ == 0 && !busy()) return;
    }
    for (const auto& lane : lanes_) {
      std::vector<Ask> fresh;
      {
        const std::lock_guard lock(mutex_);
        waiting_ -= std::erase_if(lane->waits, [](Ask& ask) { return Lane::unwanted(ask); });
        const std::size_t count = lane->entering(lane->waits.size());
        for (std::size_t i = 0; i < count; ++i) {
          fresh.push_back(std::move(lane->waits.front()));
          lane->waits.pop_front();
        }
        waiting_ -= count;
        working_ += count;
      }
      if (fresh.empty() && !lane->busy()) continue;
      lane->turn(std::move(fresh));
    }
    const std::lock_guard lock(mutex_);
    working_ = 0;
    for (const auto& lane : lanes_) working_ += lane->open.size();
  }
}

}  // namespace fovea::serve
