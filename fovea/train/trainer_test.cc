#include "fovea/train/trainer.h"

#include <cmath>
#include <fstream>

#include "fovea/config/config.h"
#include "fovea/train/checkpoint.h"
#include "fovea/train/run_folder.h"
#include "fovea/train/step_gradient.h"
#include "fovea/train/trainer_testing.h"

namespace fovea {
namespace {

TEST(Trainer, SettingsComeFromARecipe) {
  const Json recipe = parse_toml(R"(
    steps = 100
    optimizer = "adamw"
    average = 0.999
    watch = "bleu"
    schedule = { kind = "noam", width = 512, warmup = 400 })",
                                 "recipe.toml");
  TrainConfig config;
  read_config(recipe, config, "train");
  EXPECT_EQ(config.optimizer, OptimizerKind::adamw);
  EXPECT_EQ(config.schedule.kind, ScheduleKind::noam);
  EXPECT_EQ(config.schedule.warmup, 400);
  TrainConfig again;
  read_config(write_config(config), again);
  EXPECT_EQ(write_config(again), write_config(config));
}

TEST(Trainer, TellsThoseWhoWatch) {
  const TestFolder folder;
  std::vector<std::string> told;
  TrainOptions options = in(folder / "run");
  options.watcher = [&](const std::string& line) { told.push_back(line); };
  TestWork work, alone;
  train(work, config_of(6), options);  // an epoch
  ASSERT_EQ(told.size(), 5U);
  EXPECT_EQ(told[0], "shown at 0");
  EXPECT_EQ(Json::parse(told[1])["step"], 3);
  EXPECT_EQ(Json::parse(told[2])["kind"], "train");
  EXPECT_EQ(Json::parse(told[3])["kind"], "validation");
  EXPECT_EQ(told[4], "shown at 6");
  train(alone, config_of(6), in(folder / "alone"));
  expect_identical(work.values(), alone.values());

  told.clear();
  options.resume = true;
  TestWork resumed;
  train(resumed, config_of(9), options);
  EXPECT_EQ(Json::parse(told[0])["step"], 3) << "what was told before, first";
  EXPECT_EQ(told[3], "shown at 6");
}

TEST(Trainer, ProductsOfBfloat16AreNearAndOnlyInSteps) {
  const TestFolder folder;
  TestWork floats, bfloats, resumed;
  TrainConfig config = config_of(60);
  train(floats, config, in(folder / "floats"));
  config.products = kernels::Products::bfloat16;
  const auto expected =
      kernels::can_multiply_bfloat16() ? kernels::Products::bfloat16 : kernels::Products::float32;
  bfloats.on_batch = [&](Dim, Dim) { EXPECT_EQ(kernels::products(), expected); };
  bfloats.figures = [](double loss) {
    EXPECT_EQ(kernels::products(), kernels::Products::float32) << "what is measured is exact";
    return std::vector<Figure>{{"loss", loss, false}};
  };
  train(bfloats, config, in(folder / "bfloats"));
  EXPECT_EQ(kernels::products(), kernels::Products::float32);
  double far = 0;
  for (std::size_t i = 0; i < floats.values().size(); ++i) {
    const Tensor a = floats.values()[i], b = bfloats.values()[i];
    for (Dim j = 0; j < a.size(); ++j) {
      far = std::max<double>(far, std::abs(a.data<float>()[j] - b.data<float>()[j]));
    }
  }
  EXPECT_LT(far, 0.05);
  EXPECT_EQ(far > 0, kernels::can_multiply_bfloat16());

  config.steps = 20;
  train(resumed, config, in(folder / "resumed"));
  config.steps = 60;
  TestWork rest;
  train(rest, config, in(folder / "resumed", true));
  expect_identical(rest.values(), bfloats.values());
}

TEST(Trainer, DoesNotTrainInInt8) {
  const TestFolder folder;
  TestWork work;
  TrainConfig config = config_of(1);
  config.products = kernels::Products::int8;
  EXPECT_THROW(train(work, config, in(folder / "run")), Error);
}

TEST(Trainer, LearnsAndKeepsTheBestModel) {
  const TestFolder folder;
  TestWork work;
  TrainConfig config = config_of(0);
  config.epochs = 40;
  const TrainResult result = train(work, config, in(folder / "run"));
  EXPECT_EQ(result.steps, 240);
  EXPECT_EQ(result.epochs, 40);
  EXPECT_FALSE(result.stopped);
  ASSERT_TRUE(result.best);
  EXPECT_LT(result.best->value, 0.6);
  EXPECT_EQ(work.validations, 40);

  const SafeTensors model = SafeTensors::open(RunFolder(folder / "run").model());
  EXPECT_EQ(model.metadata().at("step"), std::to_string(result.best_step));
  for (Parameter& p : work.params().all()) {
    const Tensor best = model.find(p.name);
    std::memcpy(p.var.mutable_value().mutable_raw(), best.raw(), best.bytes());
  }
  EXPECT_EQ(work.validate()[0].value, result.best->value);

  const std::vector<Json> lines = lines_of(RunFolder(folder / "run").metrics());
  EXPECT_EQ(lines.size(), 240 / 3 + 40U);
  EXPECT_LT(lines[lines.size() - 2]["losses"]["loss"], lines[0]["losses"]["loss"]);
  EXPECT_EQ(RunFolder(folder / "run").steps(), (std::vector<Dim>{234, 240}));
  std::ifstream svg(RunFolder(folder / "run").curve());
  const std::string picture(std::istreambuf_iterator<char>(svg), {});
  EXPECT_NE(picture.find("validation loss"), std::string::npos);
  EXPECT_NE(picture.find("train loss"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(RunFolder(folder / "run").figure()));
}

TEST(Trainer, AccumulatedBatchesAreOneLargeBatch) {
  for (const auto& [dtype, tolerance] :
       {std::pair(DType::f32, 1e-5), std::pair(DType::f64, 1e-14)}) {
    TestWork work(dtype, 0);
    work.begin_epoch(0);
    Rng rng;
    const StepGradient together = step_gradient(work, work.parts(), {0, 6}, rng);
    // By hand: the sums of each part over all batches, divided by all counts.
    Gradients whole;
    double counts[2] = {};
    for (Dim b = 0; b < 6; ++b) {
      for (int part = 0; part < 2; ++part) counts[part] += work.counts(b)[part];
    }
    Var loss;
    for (Dim b = 0; b < 6; ++b) {
      const std::vector<Var> sums = work.losses(b, {});
      Var of_batch = scale(sums[0], 1 / counts[0]);
      if (sums[1].defined()) of_batch = add(of_batch, scale(sums[1], 0.5 / counts[1]));
      loss = loss.defined() ? add(loss, of_batch) : of_batch;
    }
    whole = backward(loss);
    for (const Parameter& p : work.params().all()) {
      const Tensor a = together.gradients[p.var].to(DType::f64), b = whole[p.var].to(DType::f64);
      for (Dim i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(a.data<double>()[i], b.data<double>()[i], tolerance) << p.name;
      }
    }
  }
}

TEST(Trainer, StopsWhenNothingGetsBetter) {
  const TestFolder folder;
  TestWork work;
  work.figures = [&](double) {  // 5 4 3 4 5 ...: the best is the third
    const double value = std::abs(3.0 - static_cast<double>(work.validations)) + 3;
    return std::vector<Figure>{{"loss", value}};
  };
  TrainConfig config = config_of(0);
  config.validate_every = 2;
  config.patience = 4;
  const TrainResult result = train(work, config, in(folder / "run"));
  EXPECT_EQ(result.steps, 14);
  EXPECT_EQ(result.best_step, 6);
  EXPECT_EQ(result.best->value, 3);
}

TEST(Trainer, FiguresOfDifferentNamesAreNotCompared) {
  const TestFolder folder;
  TestWork work;
  work.figures = [&](double) { return std::vector<Figure>{{"loss", 1}, {"score", 0.5, true}}; };
  TrainConfig config = config_of(4);
  config.validate_every = 2;
  train(work, config, in(folder / "run"));
  config.steps = 8;
  config.watch = "score";
  const TrainResult result = train(work, config, in(folder / "run", true));
  EXPECT_EQ(result.best_step, 6) << "the first of that name";
  EXPECT_EQ(result.best->value, 0.5);
}

TEST(Trainer, StopsWhenTheTimeIsOver) {
  const TestFolder folder;
  TestWork work;
  TrainConfig config = config_of(0);
  config.minutes = 1e-9;
  config.schedule.kind = ScheduleKind::linear;
  EXPECT_EQ(train(work, config, in(folder / "run")).steps, 0);
}

TEST(Trainer, AWorkWithoutValidationKeepsTheLastModel) {
  const TestFolder folder;
  TestWork work;
  work.figures = [](double) { return std::vector<Figure>(); };
  const TrainResult result = train(work, config_of(8), in(folder / "run"));
  EXPECT_FALSE(result.best);
  const SafeTensors model = SafeTensors::open(RunFolder(folder / "run").model());
  for (const Parameter& p : work.params().all()) {
    EXPECT_TRUE(identical(model.find(p.name), p.var.value()));
  }
}

TEST(Trainer, TheMeanOfTheBestCheckpointsIsTriedAtTheEnd) {
  for (const bool better : {false, true}) {
    const TestFolder folder;
    TestWork work;
    work.figures = [&](double) {  // 1 2 3 1 at the steps; then the mean
      const std::vector<double> values = {1, 2, 3, 1, better ? 0.5 : 2.0};
      return std::vector<Figure>{{"loss", values[static_cast<std::size_t>(work.validations - 1)]}};
    };
    TrainConfig config = config_of(12);
    config.validate_every = 3;
    config.average_checkpoints = 3;
    config.keep = 1;
    const TrainResult result = train(work, config, in(folder / "run"));
    EXPECT_EQ(work.validations, 5);
    EXPECT_EQ(result.best->value, better ? 0.5 : 1);
    const RunFolder run(folder / "run");
    EXPECT_EQ(run.steps(), (std::vector<Dim>{3, 6, 12}));
    const SafeTensors model = SafeTensors::open(run.model());
    for (const Parameter& p : work.params().all()) {
      std::vector<double> sums(static_cast<std::size_t>(p.var.value().size()));
      for (const Dim step : better ? std::vector<Dim>{3, 6, 12} : std::vector<Dim>{3}) {
        const Tensor saved = open_checkpoint(run.checkpoint(step)).find("weights." + p.name);
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += double{saved.data<float>()[i]};
      }
      for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_NEAR(model.find(p.name).data<float>()[i], sums[i] / (better ? 3 : 1), 1e-6);
      }
    }
    expect_identical(work.values(), [&] {  // the parameters are the last ones again
      std::vector<Tensor> last;
      const SafeTensors file = open_checkpoint(run.checkpoint(12));
      for (const Parameter& p : work.params().all()) last.push_back(file.find("weights." + p.name));
      return last;
    }());
  }
}

TEST(Trainer, TheModelIsTheAverageWhereThereIsOne) {
  const TestFolder folder;
  TestWork work;
  TrainConfig config = config_of(6);
  config.average = 0.9;
  train(work, config, in(folder / "run"));
  const RunFolder run(folder / "run");
  const SafeTensors model = SafeTensors::open(run.model()),
                    last = open_checkpoint(run.checkpoint(6));
  for (const Parameter& p : work.params().all()) {
    EXPECT_TRUE(identical(model.find(p.name), last.find("average." + p.name))) << p.name;
    EXPECT_TRUE(identical(p.var.value(), last.find("weights." + p.name))) << p.name;
  }
  EXPECT_FALSE(identical(model.find("out.weight"), last.find("weights.out.weight")));
}

/// Has a threshold, which is fitted to the weights that are used.
class FittedWork : public TestWork {
 public:
  Var threshold = params().scope().buffer("threshold", {1}, init::zeros());

  float weight() { return params().all()[0].var.value().data<float>()[0]; }
  std::vector<Var> losses(Dim batch, const Pass& pass) override {
    EXPECT_EQ(threshold.item(), 0) << "training has its own buffers";
    return TestWork::losses(batch, pass);
  }
  void calibrate() override { threshold.mutable_value().mutable_data<float>()[0] = weight(); }
  std::vector<Figure> validate() override {
    EXPECT_EQ(threshold.item(), weight());
    return TestWork::validate();
  }
};

TEST(Trainer, WhatIsFittedBelongsToTheModelThatIsKept) {
  for (const bool validated : {true, false}) {
    const TestFolder folder;
    FittedWork work;
    if (!validated) work.figures = [](double) { return std::vector<Figure>(); };
    TrainConfig config = config_of(12);
    config.average = 0.9;
    config.validate_every = 3;
    config.average_checkpoints = 2;
    train(work, config, in(folder / "run"));
    const RunFolder run(folder / "run");
    const SafeTensors model = SafeTensors::open(run.model());
    EXPECT_EQ(model.find("threshold").item(), model.find("hidden.weight").data<float>()[0]);
    EXPECT_NE(model.find("threshold").item(), 0);
    EXPECT_EQ(open_checkpoint(run.checkpoint(12)).find("weights.threshold").item(), 0);
    EXPECT_EQ(work.threshold.item(), 0);
  }
}

TEST(Trainer, AFigureThatIsNoLossHasAPictureOfItsOwn) {
  const TestFolder folder;
  TestWork work;
  TrainConfig config = config_of(6);
  config.watch = "score";
  const TrainResult result = train(work, config, in(folder / "run"));
  EXPECT_TRUE(result.best->higher_is_better);
  EXPECT_TRUE(std::filesystem::exists(RunFolder(folder / "run").curve()));
  EXPECT_TRUE(std::filesystem::exists(RunFolder(folder / "run").figure()));
}

TEST(Trainer, EveryOptimizerLearns) {
  for (std::size_t kind = 0; kind < names_of(OptimizerKind{}).size(); ++kind) {
    SCOPED_TRACE(names_of(OptimizerKind{})[kind]);
    const TestFolder folder;
    TestWork work;
    const double before = work.validate()[0].value;
    TrainConfig config = config_of(60);
    config.validate_every = 60;
    config.optimizer = static_cast<OptimizerKind>(kind);
    config.schedule = {.kind = ScheduleKind::constant, .rate = 0.01, .warmup = 0};
    if (config.optimizer == OptimizerKind::adadelta) config.schedule.rate = 1;
    EXPECT_LT(train(work, config, in(folder / "run")).best->value, before);
  }
}

class WideWork : public TestWork {
 public:
  Dim model_width() const override { return 512; }
};

TEST(Trainer, NoamTakesTheWidthOfTheModel) {
  const TestFolder folder;
  TrainConfig config = config_of(4);
  config.schedule = {.kind = ScheduleKind::noam, .warmup = 400};
  TestWork none, given;
  EXPECT_THROW(train(none, config, in(folder / "none")), Error) << "it has no width";
  WideWork wide;
  train(wide, config, in(folder / "wide"));
  config.schedule.width = 512;
  train(given, config, in(folder / "given"));
  expect_identical(wide.values(), given.values());
}

}  // namespace
}  // namespace fovea
