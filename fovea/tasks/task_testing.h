/// For tests that go the whole way of a tiny model: files, words, training, folder, answers.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "fovea/config/config.h"
#include "fovea/tasks/example_workload.h"
#include "fovea/tasks/runner.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// A recipe written in the test, its files in a folder that is gone afterwards, and the model that
/// it trains in `run`.
class TinyFolder : public ::testing::Test {
 protected:
  TinyFolder()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                concat("fovea.", ::getpid(), ".",
                       ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
  }
  ~TinyFolder() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Runner> runner(const std::vector<std::string>& settings = {}) const {
    return Runner::load(folder_ / "run", settings);
  }

  /// That `act` throws an Error whose text has `part` in it.
  static void expect_says(const std::function<void()>& act, std::string_view part) {
    try {
      act();
      ADD_FAILURE() << "no error, expected one with '" << part << "'";
    } catch (const Error& error) {
      EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos) << error.what();
    }
  }

  /// That the model refuses this one of the lines, counted from 0.
  static void expect_refused(const Runner& runner, const std::vector<std::string>& lines,
                             std::size_t line) {
    try {
      runner.run(lines, {});
      ADD_FAILURE() << "no error, expected one of line " << line;
    } catch (const LineError& error) {
      EXPECT_EQ(error.line, line) << error.what();
    }
  }

  std::filesystem::path folder_;
};

/// Of a task T whose workload is Work(located recipe, place).
template <class T, class Work = ExampleWorkload<T>>
class TinyTask : public TinyFolder {
 protected:
  using Recipe = typename T::Recipe;

  explicit TinyTask(std::string toml) : toml_(std::move(toml)) {}

  Recipe recipe(const std::vector<std::string>& settings = {}) const {
    Json json = parse_toml(toml_, "test");
    for (const std::string& setting : settings) set_value(json, setting);
    Recipe recipe;
    read_config(json, recipe);
    T::complete(recipe);
    return recipe;
  }

  Work work(Recipe recipe, const std::string& run = "run", bool resume = false) const {
    check(recipe);
    T::locate(recipe, folder_);
    return Work(recipe, {.base = folder_, .folder = folder_ / run, .resume = resume});
  }

  TrainResult trained(const Recipe& recipe, const std::string& run = "run",
                      bool resume = false) const {
    Work made = work(recipe, run, resume);
    return train(made, recipe.train, {.folder = folder_ / run, .resume = resume, .quiet = true});
  }

 private:
  std::string toml_;
};

}  // namespace fovea
