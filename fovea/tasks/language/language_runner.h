/// A trained model of the task "language", as the program drives it. A line is a prompt.
#pragma once

#include "fovea/tasks/idle_settings.h"
#include "fovea/tasks/language/writing_model.h"
#include "fovea/tasks/runner.h"

namespace fovea {

class LanguageRunner : public Runner {
 public:
  LanguageRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings);

  /// One text at a time can be told while it is written; a beam's cannot.
  Abilities abilities() const override { return {.generates = "text", .continues = true}; }
  std::vector<std::string> notes(std::span<const std::string> settings) const override {
    return idle_settings(model_.recipe.decode, settings);
  }
  bool streams() const override;
  /// The prompt and what follows. The text of a single one is as it was written; of several each is
  /// one line, in which the end of a line is "\n".
  std::vector<Answer> run(std::span<const Input> inputs, const RunOptions& options) const override;
  /// Nats a token, perplexity and, where the text has no unknown tokens, bits a character.
  TestResult test(const TestOptions& options) const override;
  /// Which earlier tokens each token of the line looked at; the answer is the likeliest next token,
  /// or what it is told to look at beside the line.
  std::vector<RunRecord> record(std::span<const Input> inputs, std::span<const std::string> answers,
                                const RecordOptions& options) const override;
  using Runner::record;
  using Runner::run;
  std::unique_ptr<Session> session() const override { return writer_of(model_); }
  WriteSettings defaults() const override { return writer_of(model_)->defaults(); }

 private:
  WritingModel model_;
};

}  // namespace fovea
