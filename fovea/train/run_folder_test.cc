#include "fovea/train/run_folder.h"

#include <fstream>

#include "fovea/train/trainer_testing.h"

namespace fovea {
namespace {

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RunFolder, KnowsItsCheckpoints) {
  const TestFolder folder;
  const RunFolder run(folder / "run");
  EXPECT_FALSE(run.used());
  run.prepare();
  EXPECT_FALSE(run.used());
  EXPECT_EQ(run.checkpoint(1200).filename(), "step-00001200.safetensors");
  for (const Dim step : {Dim{100}, Dim{20}, Dim{1234567890}}) write(run.checkpoint(step), "x");
  write(run.checkpoints() / "step-old.safetensors", "x");
  write(run.checkpoints() / "step-00000005.safetensors.17.part", "x");
  write(run.path() / "somebody's.iso.part", "x");
  EXPECT_EQ(run.steps(), (std::vector<Dim>{20, 100, 1234567890}));
  EXPECT_TRUE(run.used());
  run.keep_only({20, 100});
  EXPECT_EQ(run.steps(), (std::vector<Dim>{20, 100}));
  run.prepare();
  EXPECT_FALSE(std::filesystem::exists(run.checkpoints() / "step-00000005.safetensors.17.part"));
  EXPECT_TRUE(std::filesystem::exists(run.path() / "somebody's.iso.part"));
}

TEST(RunFolder, TellsItsOwnConfigFromOthers) {
  const TestFolder folder;
  const RunFolder run(folder / "run");
  run.prepare();
  EXPECT_FALSE(run.foreign());
  write(run.config(), R"({"task": "translate"})");
  EXPECT_FALSE(run.foreign());
  for (const char* other : {R"({"model_type": "bert"})", "[1, 2]", "task"}) {
    write(run.config(), other);
    EXPECT_TRUE(run.foreign()) << other;
  }
}

struct RunOfBefore {
  TestFolder folder;
  RunFolder run{folder / "run"};

  RunOfBefore() {
    run.prepare();
    write(run.checkpoint(8), "old");
    write(run.model(), "old");
    write(run.config(), R"({"task": "translate"})");
    write(run.path() / "source.json", R"({"format": "fovea tokenizer 1"})");
    write(run.path() / "source.model", "old");
    write(run.path() / "notes.json", "{}");  // of nobody's run
  }
};

TEST(RunFolder, ARunThatIsOverwrittenComesBackUnlessTheNewOneHasACheckpoint) {
  const RunOfBefore before;
  const RunFolder& run = before.run;
  run.set_aside();
  run.prepare();
  EXPECT_TRUE(std::filesystem::exists(run.path() / ".overwritten-run"));
  EXPECT_FALSE(run.used());
  EXPECT_FALSE(std::filesystem::exists(run.path() / "source.model"));
  EXPECT_EQ(read(run.path() / "notes.json"), "{}");
  write(run.model(), "new");
  write(run.path() / "source.model", "new");
  run.recover();
  EXPECT_EQ(run.steps(), std::vector<Dim>{8});
  EXPECT_EQ(read(run.model()), "old");
  EXPECT_EQ(read(run.path() / "source.model"), "old");

  run.set_aside();
  run.prepare();
  write(run.checkpoint(4), "new");
  run.recover();
  EXPECT_EQ(run.steps(), std::vector<Dim>{4});
  EXPECT_FALSE(std::filesystem::exists(run.model()));
  EXPECT_FALSE(std::filesystem::exists(run.path() / ".overwritten-run"));
  EXPECT_EQ(read(run.path() / "notes.json"), "{}");
}

TEST(RunFolder, WhatATaskWroteBelongsToTheRun) {
  const TestFolder folder;
  const RunFolder run(folder / "run");
  run.prepare();
  write(run.checkpoint(8), "old");
  write(run.path() / "titles.bin", "old");
  std::filesystem::create_directory(run.path() / "classifier");
  write(run.path() / "classifier" / "config.json", "old");
  write(run.path() / "notes.txt", "somebody's");
  run.add_files({"titles.bin"});
  run.add_files({"classifier", "gone.json"});
  EXPECT_EQ(run.model_files(), (std::set<std::string>{"classifier", "gone.json", "titles.bin"}));
  run.set_aside();
  run.prepare();
  EXPECT_FALSE(std::filesystem::exists(run.path() / "titles.bin"));
  EXPECT_FALSE(std::filesystem::exists(run.path() / "classifier"));
  EXPECT_TRUE(std::filesystem::exists(run.path() / "notes.txt"));
  // A new run that ends while it saves, before it lists what it wrote.
  std::filesystem::create_directory(run.path() / "classifier");
  write(run.path() / "classifier" / "half", "new");
  run.recover();
  EXPECT_EQ(read(run.path() / "titles.bin"), "old");
  EXPECT_EQ(read(run.path() / "classifier" / "config.json"), "old");
  EXPECT_FALSE(std::filesystem::exists(run.path() / "classifier" / "half"));
}

TEST(RunFolder, ARunThatListsNoFilesIsKnownByThoseOfItsTime) {
  const RunOfBefore before;
  for (const char* model : {"elmo", "second", "second-2"}) {
    std::filesystem::create_directory(before.run.path() / model);
  }
  write(before.run.path() / "words.json",
        R"({"format": "fovea tokenizer 1", "config": {"kind": "hub"}})");
  for (const char* file : {"neighbours.tsv", "tokenizer.json", "tokenizer_config.json"}) {
    write(before.run.path() / file, "old");
  }
  before.run.set_aside();
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(before.run.path())) {
    left.insert(entry.path().filename());
  }
  EXPECT_EQ(left, (std::set<std::string>{".overwritten-run", "notes.json"}));
}

TEST(RunFolder, AListThatLeadsElsewhereIsRefused) {
  for (const char* list : {R"(["../other"])", R"([".."])", R"(["/etc"])", R"([""])", "{}", "[1]"}) {
    const RunOfBefore before;
    write(before.run.files(), list);
    EXPECT_THROW(before.run.set_aside(), Error) << list;
    EXPECT_TRUE(before.run.used());
    EXPECT_THROW(check_folder({.folder = before.run.path(), .overwrite = true}), Error) << list;
  }
}

TEST(RunFolder, ARunComesBackFromWhereItsWayAsideEnded) {
  const RunOfBefore before;
  const RunFolder& run = before.run;
  std::filesystem::create_directories(run.path() / ".moving-run");
  std::filesystem::rename(run.model(), run.path() / ".moving-run" / run.model().filename());
  run.recover();
  EXPECT_EQ(read(run.model()), "old");
  EXPECT_EQ(run.steps(), std::vector<Dim>{8});
  EXPECT_FALSE(std::filesystem::exists(run.path() / ".moving-run"));
}

TEST(RunFolder, IsLockedForOthersWhileARunGoesOn) {
  const RunOfBefore before;
  std::optional<RunLock> lock(std::in_place, before.run);
  EXPECT_THROW(const RunLock second(before.run), Error);
  lock.reset();
  EXPECT_NO_THROW(const RunLock second(before.run));
}

}  // namespace
}  // namespace fovea
