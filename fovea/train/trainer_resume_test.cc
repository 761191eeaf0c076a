/// A run that was interrupted and resumed has the bits of one that was not.
#include "fovea/train/checkpoint.h"
#include "fovea/train/run_folder.h"
#include "fovea/train/trainer_testing.h"

namespace fovea {
namespace {

/// All tensors of a run's newest checkpoint.
std::vector<Tensor> tensors_of(const std::filesystem::path& folder) {
  const RunFolder run(folder);
  const SafeTensors file = open_checkpoint(run.checkpoint(run.steps().back()));
  std::vector<Tensor> tensors;
  for (const std::string& name : file.names()) {
    if (name != "checksum") tensors.push_back(file.find(name));
  }
  return tensors;
}

/// Every way to be interrupted, with everything on that has a state.
struct Interrupted {
  const char* name;
  TrainConfig config;
};

std::vector<Interrupted> interrupted_runs() {
  std::vector<Interrupted> runs;
  runs.push_back({"plain", config_of(20)});
  TrainConfig accumulate = config_of(20);
  accumulate.accumulate = 4;  // an epoch has a step of four batches and one of two
  runs.push_back({"accumulate", accumulate});
  TrainConfig average = config_of(20);
  average.average = 0.9;
  average.validate_every = 3;
  average.average_checkpoints = 3;
  runs.push_back({"average", average});
  TrainConfig patience = config_of(20);
  patience.validate_every = 2;
  patience.patience = 3;
  patience.watch = "score";
  patience.schedule = {
      .kind = ScheduleKind::plateau, .rate = 0.5, .warmup = 2, .plateau_patience = 1};
  runs.push_back({"patience", patience});
  TrainConfig adafactor = config_of(20);
  adafactor.optimizer = OptimizerKind::adafactor;
  adafactor.schedule = {.kind = ScheduleKind::cosine, .rate = 0.1, .warmup = 3};
  runs.push_back({"adafactor", adafactor});
  return runs;
}

TEST(TrainerResume, AStoppedRunThatIsResumedHasTheSameBits) {
  for (const Interrupted& run : interrupted_runs()) {
    SCOPED_TRACE(run.name);
    const TestFolder folder;
    TestWork whole;
    const TrainResult expected = train(whole, run.config, in(folder / "whole"));

    for (const Dim stop : {6, 9}) {  // also where a validation is due
      const std::string name = concat("stopped", stop);
      TestWork first;
      Dim seen = 0;
      first.on_batch = [&](Dim, Dim) { ++seen; };
      TrainOptions options = in(folder / name.c_str());
      options.stop = [&] { return seen >= stop; };
      const TrainResult stopped = train(first, run.config, options);
      EXPECT_TRUE(stopped.stopped);
      EXPECT_LT(stopped.steps, 20);
      TestWork second;
      const TrainResult result = train(second, run.config, in(folder / name.c_str(), true));
      EXPECT_EQ(result.steps, expected.steps);
      EXPECT_EQ(result.best_step, expected.best_step);
      EXPECT_EQ(result.best->value, expected.best->value);
      expect_identical(second.values(), whole.values());
      expect_identical(tensors_of(folder / name.c_str()), tensors_of(folder / "whole"));
      EXPECT_EQ(lines_of(folder / name.c_str() / "metrics.jsonl"),
                lines_of(folder / "whole" / "metrics.jsonl"));
    }
  }
}

TEST(TrainerResume, AKilledRunGoesOnFromItsLastCheckpoint) {
  for (const Interrupted& run : interrupted_runs()) {
    SCOPED_TRACE(run.name);
    const TestFolder folder;
    TestWork whole;
    train(whole, run.config, in(folder / "whole"));
    TestWork first;
    Dim seen = 0;
    first.on_batch = [&](Dim, Dim) {
      if (++seen == 11) throw std::runtime_error("killed");
    };
    TrainConfig config = run.config;
    EXPECT_THROW(train(first, config, in(folder / "killed")), std::runtime_error);
    TestWork second;
    train(second, config, in(folder / "killed", true));
    expect_identical(second.values(), whole.values());
    EXPECT_EQ(lines_of(folder / "killed" / "metrics.jsonl"),
              lines_of(folder / "whole" / "metrics.jsonl"));
  }
}

}  // namespace
}  // namespace fovea
