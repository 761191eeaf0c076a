/// Bridges for tasks that are not yet built on example_task.h. Goes with the last of them.
#pragma once

#include "fovea/tasks/recipe_check.h"
#include "fovea/tasks/task_entry.h"

namespace fovea {

template <class R>
void complete_width(R& recipe, Dim width) {
  if (recipe.train.schedule.width == 0) recipe.train.schedule.width = width;
}

template <class R>
struct LegacyTask {
  using Recipe = R;
  static void complete(R& recipe) {
    if constexpr (requires { recipe.model.projection; }) {
      complete_width(recipe, recipe.model.projection);
    } else if constexpr (requires { width_of(recipe.model.config); }) {
      complete_width(recipe, width_of(recipe.model.config));
    } else if constexpr (requires { recipe.model.width; }) {
      complete_width(recipe, recipe.model.width);
    } else {
      complete_width(recipe, recipe.model.encoder.width);
    }
  }
  static void locate(R&, const std::filesystem::path&) {}
};

template <class Work, class R>
struct LegacyWork : Work {
  LegacyWork(const R& recipe, const RunPlace& place)
      : Work(recipe, place.base, place.folder, place.resume) {}
};

template <class R, class Work>
constexpr auto legacy_training = make_training<LegacyTask<R>, LegacyWork<Work, R>>;

/// Lines that a runner answers whole.
class LineSession : public Session {
 public:
  explicit LineSession(const Runner& runner) : runner_(runner) {}
  Dim rows() const override { return std::ssize(waits_); }
  bool empty() const override { return waits_.empty(); }
  std::vector<WrittenLine> admit(std::vector<WriteRequest> requests) override {
    for (WriteRequest& one : requests) waits_.push_back(std::move(one));
    return {};
  }
  std::vector<WrittenLine> step(Dim) override {
    std::vector<WrittenLine> all;
    for (const WriteRequest& one : std::exchange(waits_, {})) {
      WrittenLine& line = all.emplace_back(WrittenLine{.key = one.key});
      try {
        const auto& input = dynamic_cast<const PreparedQuery<Input>&>(*one.prepared).query;
        line.answer = runner_.run(std::span(&input, 1), {}).front();
        line.cut = line.answer->cut;
        line.read = line.answer->json.value("tokens", Dim(0));
      } catch (const std::exception& error) {
        line.error = error.what();
        line.error_kind = error_kind(error);
      }
    }
    return all;
  }
  void drop(const std::function<bool(Dim)>& unwanted) override {
    std::erase_if(waits_, [&](const WriteRequest& one) { return unwanted(one.key); });
  }

 private:
  const Runner& runner_;
  std::vector<WriteRequest> waits_;
};

/// A runner of lines of text.
class LineRunner : public Runner {
 public:
  std::vector<Answer> run(std::span<const Input> inputs, const RunOptions& options) const final {
    return const_cast<LineRunner*>(this)->run_lines(lines_of(inputs), options);
  }
  std::vector<RunRecord> record(std::span<const Input> inputs, std::span<const std::string> answers,
                                const RecordOptions& options) const final {
    return const_cast<LineRunner*>(this)->record_lines(lines_of(inputs), answers, options);
  }
  using Runner::record;
  using Runner::run;
  std::shared_ptr<const Prepared> prepare(const Input& input) const override {
    auto prepared = std::make_shared<PreparedQuery<Input>>();
    prepared->query = input;
    prepared->rows = 1 + std::ssize(input.text) / 4;
    return prepared;
  }
  std::unique_ptr<Session> session() const override { return std::make_unique<LineSession>(*this); }

 protected:
  virtual std::vector<Answer> run_lines(std::span<const std::string> lines,
                                        const RunOptions& options) = 0;
  virtual std::vector<RunRecord> record_lines(std::span<const std::string> lines,
                                              std::span<const std::string> answers,
                                              const RecordOptions& options) = 0;

 private:
  static std::vector<std::string> lines_of(std::span<const Input> inputs) {
    std::vector<std::string> lines;
    for (const Input& input : inputs) {
      request_of<NoOptions>(input);
      lines.push_back(input.text);
    }
    return lines;
  }
};

/// What read_each does of inputs, of lines.
template <class Read>
auto read_each(std::span<const std::string> lines, const Read& read) {
  return read_each(std::span<const Input>(inputs_of(lines)),
                   [&](const Input& input) { return read(input.text); });
}

}  // namespace fovea
