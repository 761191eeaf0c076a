/// The task "translate" for the program.
#pragma once

#include "fovea/tasks/runner.h"
#include "fovea/tasks/translate/live_translation.h"
#include "fovea/tasks/translate/translate.h"

namespace fovea {

class TranslateRunner : public Runner {
 public:
  TranslateRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings);

  Abilities abilities() const override { return {.generates = "target"}; }
  std::vector<std::string> notes(std::span<const std::string> settings) const override;
  std::vector<Answer> run(std::span<const Input> inputs, const RunOptions& options) const override;
  TestResult test(const TestOptions& options) const override;
  std::vector<RunRecord> record(std::span<const Input> inputs, std::span<const std::string> answers,
                                const RecordOptions& options) const override;
  using Runner::record;
  using Runner::run;
  std::unique_ptr<LiveAnswer> live() const override {
    return std::make_unique<LiveTranslation>(model_);
  }
  std::unique_ptr<Session> session() const override { return writer_of(model_); }
  WriteSettings defaults() const override { return writer_of(model_)->defaults(); }

 private:
  TranslationModel model_;
};

}  // namespace fovea
