/// What can go wrong in a run, and what is left of it then.
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <fstream>

#include "fovea/train/checkpoint.h"
#include "fovea/train/run_folder.h"
#include "fovea/train/stop_signals.h"
#include "fovea/train/trainer_testing.h"

namespace fovea {
namespace {

TrainConfig validated_every_4(Dim steps) {
  TrainConfig config = config_of(steps);
  config.clip = 0;
  config.validate_every = 4;
  return config;
}

/// The message of the Error that f throws.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_in(const std::string& text, std::initializer_list<std::string> parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  }
}

void poison(TestWork& work, const std::string& name) {
  for (Parameter& p : work.params().all()) {
    if (p.name == name) p.var.mutable_value().mutable_data<float>()[0] = NAN;
  }
}

TEST(TrainerTrouble, WhatIsNotFiniteIsNamed) {
  const TestFolder folder;
  TestWork work;
  Dim seen = 0;
  work.on_batch = [&](Dim, Dim) {
    if (++seen == 9) poison(work, "hidden.weight");
  };
  const std::string error =
      error_of([&] { train(work, validated_every_4(20), in(folder / "run")); });
  expect_in(error, {"step 9", "epoch 1", "batch 2", "rows of batch 2", "loss is nan",
                    "weights of hidden.weight are not finite", "is that of out.",
                    "step-00000008.safetensors", "schedule.rate is 0.02", "clip is 0"});
  EXPECT_NO_THROW(open_checkpoint(RunFolder(folder / "run").checkpoint(8)));
}

/// A loss that is finite, and a gradient that is not: of sqrt at 0.
class RootWork : public TestWork {
 public:
  Var zero = params().scope().param("root.zero", {1}, init::zeros());
  std::vector<Var> losses(Dim batch, const Pass& pass) override {
    std::vector<Var> losses = TestWork::losses(batch, pass);
    if (batch == 1) losses[0] = add(losses[0], sum(sqrt(zero)));
    return losses;
  }
};

TEST(TrainerTrouble, AGradientThatIsNotFiniteIsNamed) {
  const TestFolder folder;
  RootWork work;
  TrainConfig config = validated_every_4(20);
  config.accumulate = 3;
  const std::string error = error_of([&] { train(work, config, in(folder / "run")); });
  expect_in(error, {"step 1", "batch 1 (rows of batch 1)", "a gradient is not finite",
                    "is that of root.zero", "there is no checkpoint yet"});
}

TEST(TrainerTrouble, ADamagedCheckpointIsPassedOver) {
  const TestFolder folder;
  TestWork whole;
  train(whole, validated_every_4(20), in(folder / "whole"));
  TestWork first;
  train(first, validated_every_4(12), in(folder / "run"));
  const RunFolder run(folder / "run");
  ASSERT_EQ(run.steps(), (std::vector<Dim>{8, 12}));
  std::filesystem::resize_file(run.checkpoint(12), 1000);
  testing::internal::CaptureStderr();
  TestWork second;
  train(second, validated_every_4(20), in(folder / "run", true));
  expect_in(testing::internal::GetCapturedStderr(),
            {"step-00000012.safetensors", "trying the one before", "steps 12 -> 20"});
  expect_identical(second.values(), whole.values());

  for (const Dim step : run.steps()) std::filesystem::resize_file(run.checkpoint(step), 100);
  testing::internal::CaptureStderr();
  expect_in(error_of([&] { train(second, validated_every_4(30), in(folder / "run", true)); }),
            {"every checkpoint is damaged"});
  testing::internal::GetCapturedStderr();
}

TEST(TrainerTrouble, ADamagedCheckpointDoesNotStandInTheWayOfNewOnes) {
  const TestFolder folder;
  const RunFolder run(folder / "run");
  TrainConfig config = validated_every_4(12);
  TestWork first;
  train(first, config, in(folder / "run"));
  std::filesystem::resize_file(run.checkpoint(12), 1000);
  config.steps = 10;
  config.validate_every = 1;
  config.keep = 1;
  testing::internal::CaptureStderr();
  TestWork second;
  train(second, config, in(folder / "run", true));
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(run.steps(), std::vector<Dim>{10});
}

TEST(TrainerTrouble, NoRunIsWrittenOverUnasked) {
  const TestFolder folder;
  TestWork work;
  train(work, validated_every_4(4), in(folder / "run", true));  // nothing to resume: a new run
  expect_in(error_of([&] { train(work, validated_every_4(4), in(folder / "run")); }),
            {"holds a run already", "--resume"});
  TestWork again;
  const TrainResult result = train(again, validated_every_4(8),
                                   {.folder = folder / "run", .overwrite = true, .quiet = true});
  EXPECT_EQ(result.steps, 8);
  std::filesystem::remove_all(RunFolder(folder / "run").checkpoints());
  expect_in(error_of([&] { train(work, validated_every_4(4), in(folder / "run", true)); }),
            {"no checkpoint to resume from"});
}

TEST(TrainerTrouble, LimitsBelowZeroAreRefused) {
  const TestFolder folder;
  const auto refused = [&](const char* name, auto set) {
    TestWork work;
    TrainConfig config = validated_every_4(8);
    set(config);
    expect_in(error_of([&] { train(work, config, in(folder / "run")); }), {name, "expected"});
  };
  refused("train.epochs", [](TrainConfig& c) { c.epochs = -1; });
  refused("train.patience", [](TrainConfig& c) { c.patience = -1; });
  refused("train.minutes", [](TrainConfig& c) { c.minutes = -0.5; });
  refused("train.average", [](TrainConfig& c) { c.average = 2; });
}

TEST(TrainerTrouble, ARunIsNotLostToOneThatFailsBeforeItsFirstCheckpoint) {
  const TestFolder folder;
  const RunFolder run(folder / "run");
  TestWork work;
  TrainOptions options = in(folder / "run");
  options.settings = {"a=1"};
  train(work, validated_every_4(8), options);
  const auto settings = [&] { return parse_json_file(run.settings()); };
  EXPECT_EQ(settings(), Json({"a=1"}));

  options.overwrite = true;
  options.settings = {"a=2"};
  TrainConfig wrong = validated_every_4(8);
  wrong.watch = "nothing";
  TestWork again;
  expect_in(error_of([&] { train(again, wrong, options); }), {"there is no figure 'nothing'"});
  EXPECT_EQ(run.steps(), (std::vector<Dim>{4, 8}));
  EXPECT_EQ(settings(), Json({"a=1"}));

  options.overwrite = false;
  options.resume = true;
  wrong.steps = 12;
  expect_in(error_of([&] { train(again, wrong, options); }), {"there is no figure 'nothing'"});
  EXPECT_EQ(settings(), Json({"a=1"}));  // nothing that failed is set for who resumes next
  TestWork third;
  train(third, validated_every_4(12), options);
  EXPECT_EQ(settings(), Json({"a=2"}));
}

/// While one lives, no file grows beyond 100 bytes: the disk is full.
class FullDisk {
 public:
  FullDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = 100;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_ = {};
};

TEST(TrainerTrouble, ADiskThatIsFullForAWhileDoesNotEndARun) {
  const TestFolder folder;
  const RunFolder run(folder / "run");
  TestWork whole, work;
  train(whole, validated_every_4(20), in(folder / "whole"));
  std::optional<FullDisk> full;
  Dim seen = 0;
  work.on_batch = [&](Dim, Dim) {
    if (++seen == 10) full.emplace();  // the checkpoint of step 12 fails
    if (seen != 14) return;
    full.reset();
    EXPECT_EQ(run.steps(), (std::vector<Dim>{4, 8}));
    for (const Dim step : run.steps()) EXPECT_NO_THROW(open_checkpoint(run.checkpoint(step)));
  };
  testing::internal::CaptureStderr();
  train(work, validated_every_4(20), in(folder / "run"));
  expect_in(testing::internal::GetCapturedStderr(), {"cannot be written", "going on"});
  expect_identical(work.values(), whole.values());
  EXPECT_EQ(run.steps(), (std::vector<Dim>{16, 20}));
}

TEST(TrainerTrouble, ADiskThatIsFullAtTheEndIsAnError) {
  const TestFolder folder;
  const RunFolder run(folder / "run");
  TestWork work;
  std::optional<FullDisk> full;
  Dim seen = 0;
  work.on_batch = [&](Dim, Dim) {
    if (++seen == 10) full.emplace();
  };
  testing::internal::CaptureStderr();
  const std::string error =
      error_of([&] { train(work, validated_every_4(20), in(folder / "run")); });
  full.reset();
  testing::internal::GetCapturedStderr();
  expect_in(error, {"cannot be written"});
  EXPECT_EQ(run.steps(), (std::vector<Dim>{4, 8}));
  TestWork whole, second;
  train(whole, validated_every_4(20), in(folder / "whole"));
  train(second, validated_every_4(20), in(folder / "run", true));
  expect_identical(second.values(), whole.values());
}

TEST(TrainerTrouble, SignalsDoWhatTheyDidOnceARunIsOver) {
  const auto before = std::signal(SIGINT, SIG_IGN);
  {
    const StopSignals signals;
    EXPECT_EQ(signals.received(), 0);
    std::raise(SIGINT);
    EXPECT_EQ(signals.received(), SIGINT);
  }
  EXPECT_EQ(std::signal(SIGINT, before), SIG_IGN);
}

TEST(TrainerTrouble, SigUsr1LeavesTimeToSave) {
  const auto before = std::signal(SIGUSR1, SIG_IGN);
  {
    const StopSignals signals;
    for (int i = 0; i < 2; ++i) std::raise(SIGUSR1);
    EXPECT_EQ(signals.received(), SIGUSR1);
    std::raise(SIGTERM);
    std::raise(SIGUSR1);
    EXPECT_EQ(signals.received(), SIGTERM);
  }
  EXPECT_EQ(std::signal(SIGUSR1, before), SIG_IGN);
}

TEST(TrainerTroubleDeathTest, ASecondSignalEndsTheProcess) {
  for (const int first : {SIGTERM, SIGINT}) {
    EXPECT_EXIT(
        {
          const StopSignals signals;
          std::raise(first);
          std::raise(SIGTERM);
        },
        testing::ExitedWithCode(128 + SIGTERM), "");
  }
}

TEST(TrainerTrouble, SettingsThatMakeNoRunAreRefused) {
  const TestFolder folder;
  TestWork work;
  const auto error = [&](const TrainConfig& config) {
    return error_of([&] { train(work, config, in(folder / "run")); });
  };
  expect_in(error({}), {"nothing would end the run"});
  expect_in(error({.steps = 1, .accumulate = 0}), {"train.accumulate"});
  expect_in(error({.steps = 1, .average = 2}), {"train.average"});
  expect_in(error({.steps = 1, .beta1 = -1}), {"train.beta1: expected 0 to below 1, found -1"});
  expect_in(error({.steps = 1, .beta2 = 1.5}), {"train.beta2: expected 0 to below 1, found 1.5"});
  expect_in(error({.steps = 1, .eps = -1}), {"train.eps: expected at least 0, found -1"});
  expect_in(error({.steps = 1, .weight_decay = -9}),
            {"train.weight_decay: expected at least 0, found -9"});
  expect_in(error({.steps = 1, .validate_every = 1, .watch = "bleu"}),
            {"no figure 'bleu'", "loss score"});
  work.names = {"loss", "score"};
  work.validations = 0;
  expect_in(error({.steps = 1, .watch = "bleu"}), {"no figure 'bleu'", "loss score"});
  EXPECT_EQ(work.validations, 0);  // nothing was learned before it was told
  expect_in(error({.schedule = {.kind = ScheduleKind::cosine}, .patience = 1}), {"schedule.kind"});
  work.figures = [](double) { return std::vector<Figure>(); };
  expect_in(error({.patience = 1}), {"only train.patience would end the run"});
}

}  // namespace
}  // namespace fovea
