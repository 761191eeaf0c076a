/// Two players that take turns: a discriminator and a generator, as in a GAN.
#include "fovea/train/checkpoint.h"
#include "fovea/train/run_folder.h"
#include "fovea/train/trainer_testing.h"

namespace fovea {
namespace {

class TwoPlayers : public Workload {
 public:
  static constexpr Dim batches = 4, rows = 5, width = 3;

  TwoPlayers()
      : generate_(params_.scope() / "generator", width, width),
        hidden_(params_.scope() / "discriminator" / "hidden", width, 8),
        out_(params_.scope() / "discriminator" / "out", 8, 1) {}

  std::function<void(std::vector<Phase>& phases)> change = [](std::vector<Phase>&) {};
  std::function<void(const UpdateIndex&)> on_update = [](const UpdateIndex&) {};
  std::function<void()> on_batch = [] {};

  Params& params() override { return params_; }
  Dim examples() const override { return batches * rows; }
  std::vector<LossPart> parts() const override { return {{"real"}, {"fake"}, {"fooled"}}; }
  std::vector<Phase> phases(const Phase& whole) const override {
    Phase discriminator = whole, generator = whole;
    discriminator.name = "discriminator";
    discriminator.groups = {{"discriminator"}};
    discriminator.parts = {{"real"}, {"fake"}};
    discriminator.repeat = 2;
    generator.name = "generator";
    generator.groups = {{"generator"}};
    generator.parts = {{"fooled"}};
    generator.optimizer.kind = OptimizerKind::adafactor;
    generator.schedule.rate = 0.01;
    generator.average = 0.9;
    std::vector<Phase> phases = {discriminator, generator};
    change(phases);
    return phases;
  }
  Dim begin_epoch(Dim epoch) override {
    epoch_ = epoch;
    return batches;
  }
  void begin_update(const UpdateIndex& update) override {
    update_ = update;
    on_update(update);
  }
  std::vector<double> counts(Dim) override {
    if (update_.phase == 0) return {rows, rows};
    return {rows};
  }
  std::vector<Var> losses(Dim batch, const Pass& pass) override {
    on_batch();
    const Var fake = generate_(numbers(2 * (epoch_ * batches + batch)));
    if (update_.phase == 1) return {miss(fake, 1, pass)};
    return {miss(numbers(2 * (epoch_ * batches + batch) + 1), 1, pass),
            miss(fake.detach(), 0, pass)};
  }
  std::string describe(Dim batch) override { return concat("batch ", batch); }
  std::vector<Figure> validate() override { return {{"loss", sum(params_.all()[0].var).item()}}; }
  std::vector<std::string> save_rest(const std::string&) override { return {}; }

  std::vector<Tensor> values(const std::string& scope) const {
    std::vector<Tensor> values;
    for (const Parameter& p : params_.all()) {
      if (p.name.starts_with(scope)) values.push_back(p.var.value().clone());
    }
    return values;
  }

 private:
  static Var numbers(Dim which) {
    Tensor x = Tensor::empty({rows, width});
    init::normal(1)(x, Draws{.seed = 3, .site = static_cast<std::uint64_t>(which)});
    return x;
  }
  /// The sum of (D(x) - wanted)^2.
  Var miss(const Var& x, double wanted, const Pass& pass) const {
    const Var judged = out_(dropout(tanh(hidden_(x)), 0.1, pass.rng));
    const Var off = add_scalar(judged, -wanted);
    return sum(mul(off, off));
  }

  Params params_{7};
  Linear generate_, hidden_, out_;
  Dim epoch_ = 0;
  UpdateIndex update_;
};

TrainConfig two_player_config(Dim steps) {
  TrainConfig config = config_of(steps);
  config.validate_every = 3;
  config.log_every = 1;
  return config;
}

std::string error_of_phases(const std::function<void(std::vector<Phase>&)>& change) {
  const TestFolder folder;
  TwoPlayers work;
  work.change = change;
  try {
    train(work, two_player_config(1), in(folder / "run"));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool all_identical(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = identical(a[i], b[i]);
  return same;
}

TEST(TrainerPhases, TakeTurnsWithTheSameBatches) {
  const TestFolder folder;
  TwoPlayers work;
  std::vector<std::vector<Dim>> updates;
  std::vector<Tensor> discriminator, generator;
  work.on_update = [&](const UpdateIndex& update) {
    updates.push_back({update.step, update.phase, update.repeat});
    const auto d = work.values("discriminator"), g = work.values("generator");
    if (updates.size() > 1) {  // what the update before changed
      const bool was_discriminator = updates[updates.size() - 2][1] == 0;
      EXPECT_EQ(all_identical(d, discriminator), !was_discriminator);
      EXPECT_EQ(all_identical(g, generator), was_discriminator);
    }
    discriminator = d, generator = g;
  };
  Dim forwards = 0;
  work.on_batch = [&] { ++forwards; };
  TrainConfig config = two_player_config(2);
  config.accumulate = 3;  // an epoch has a step of three batches and one of one
  const TrainResult result = train(work, config, in(folder / "run"));
  EXPECT_EQ(updates, (std::vector<std::vector<Dim>>{
                         {0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}}));
  EXPECT_EQ(forwards, 3 * 4);
  EXPECT_EQ(result.epochs, 1);

  const std::vector<Json> lines = lines_of(RunFolder(folder / "run").metrics());
  EXPECT_EQ(lines[0]["losses"].size(), 3U);
  EXPECT_LT(lines[0]["learning_rate.generator"], lines[0]["learning_rate"]);
  EXPECT_GT(lines[0]["gradient_norm.generator"], 0);
}

TEST(TrainerPhases, OnlyItsOwnParametersHaveAPhasesStateAndAverage) {
  const TestFolder folder;
  TwoPlayers work;
  train(work, two_player_config(2), in(folder / "run"));
  const SafeTensors file = open_checkpoint(RunFolder(folder / "run").checkpoint(2));
  const auto has = [&](const char* name) { return file.find(name).defined(); };
  EXPECT_TRUE(has("optimizer.discriminator.discriminator.steps"));
  EXPECT_TRUE(has("optimizer.discriminator.discriminator.out.weight.mean"));
  EXPECT_TRUE(has("optimizer.generator.generator.weight.row_sums"));
  EXPECT_FALSE(has("optimizer.generator.discriminator.out.weight.row_sums"));
  EXPECT_FALSE(has("average.discriminator.out.weight"));
  const SafeTensors model = SafeTensors::open(RunFolder(folder / "run").model());
  EXPECT_TRUE(has("average.generator.weight"));
  EXPECT_EQ(model.names().size(), work.params().all().size());
}

TEST(TrainerPhases, TheOnlyPhaseHasTheLayoutOfRunsWithoutPhases) {
  const TestFolder folder;
  TestWork work;
  train(work, config_of(2), in(folder / "run"));
  const SafeTensors file = open_checkpoint(RunFolder(folder / "run").checkpoint(2));
  for (const char* name : {"optimizer.steps", "optimizer.out.weight.mean", "weights.out.weight"}) {
    EXPECT_TRUE(file.find(name).defined()) << name;
  }
}

TEST(TrainerPhases, ARunThatEndsAnywhereGoesOnWithTheSameBits) {
  const TestFolder folder;
  TrainConfig config = two_player_config(4);
  config.accumulate = 3;
  config.checkpoint_every = 0;  // after each step
  TwoPlayers whole;
  Dim forwards = 0;
  whole.on_batch = [&] { ++forwards; };
  train(whole, config, in(folder / "whole"));
  for (Dim end = 1; end <= forwards; ++end) {
    const std::string name = concat("ended", end);
    TwoPlayers first, second;
    Dim seen = 0;
    first.on_batch = [&] {
      if (++seen == end) throw std::runtime_error("killed");
    };
    EXPECT_THROW(train(first, config, in(folder / name.c_str())), std::runtime_error);
    train(second, config, in(folder / name.c_str(), true));
    EXPECT_TRUE(all_identical(second.values(""), whole.values(""))) << end;
    EXPECT_EQ(lines_of(folder / name.c_str() / "metrics.jsonl"),
              lines_of(folder / "whole" / "metrics.jsonl"));
  }
}

TEST(TrainerPhases, GroupsHaveRatesAndWeightDecaysOfTheirOwn) {
  const auto change_of = [](std::vector<ParamGroup> groups, const std::string& scope) {
    const TestFolder folder;
    TwoPlayers work;
    work.change = [&](std::vector<Phase>& phases) {
      phases[0].groups = groups;
      phases[0].optimizer = {.kind = OptimizerKind::sgd};
      phases[0].schedule = {.kind = ScheduleKind::constant, .rate = 0.5, .warmup = 0};
      phases[0].clip = 0;
      phases[0].repeat = 1;
    };
    const double before = work.values(scope)[0].to(DType::f64).data<double>()[0];
    train(work, two_player_config(1), in(folder / "run"));
    return work.values(scope)[0].to(DType::f64).data<double>()[0] - before;
  };
  const char* hidden = "discriminator.hidden.weight";
  const char* out = "discriminator.out.weight";
  const TwoPlayers work;
  const double weight = double{work.values(out)[0].data<float>()[0]};
  const std::vector<ParamGroup> plain = {{"discriminator"}};
  const std::vector<ParamGroup> two = {{"discriminator.hidden", 0.25},
                                       {.where = "discriminator.out", .weight_decay = 0.1}};
  EXPECT_NEAR(change_of(two, hidden), 0.25 * change_of(plain, hidden), 1e-6);
  EXPECT_NEAR(change_of(two, out), change_of(plain, out) - 0.5 * 0.1 * weight, 1e-6);
  EXPECT_NE(change_of(plain, hidden), 0);
  EXPECT_EQ(change_of({{"discriminator.hidden"}}, out), 0) << "in no group: left alone";
}

TEST(TrainerPhases, PhasesThatMakeNoRunAreRefused) {
  const auto expect_error = [](const std::string& part, auto&& change) {
    const std::string error = error_of_phases(change);
    EXPECT_NE(error.find(part), std::string::npos) << part << " is not in: " << error;
  };
  using Phases = std::vector<Phase>;
  expect_error("no trained parameter is in 'discrim'",
               [](Phases& p) { p[0].groups = {{"discrim"}}; });
  expect_error("discriminator.out.weight is in two groups, 'discriminator' and", [](Phases& p) {
    p[0].groups = {{"discriminator"}, {"discriminator.out"}};
  });
  expect_error("'generator': generator.weight has an average in another phase", [](Phases& p) {
    p[0].groups = {{""}};
    p[0].average = 0.9;
  });
  expect_error("has no phase", [](Phases& p) { p.clear(); });
  expect_error("expected a name", [](Phases& p) { p[0].name = ""; });
  expect_error("same name", [](Phases& p) { p[0].name = "generator"; });
  expect_error("at least one loss", [](Phases& p) { p[1].parts.clear(); });
  expect_error("'real' is named twice", [](Phases& p) { p[1].parts = {{"real"}}; });
  expect_error("at least one update", [](Phases& p) { p[1].repeat = 0; });
  expect_error("schedule.rate", [](Phases& p) { p[1].schedule.rate = 0; });
}

}  // namespace
}  // namespace fovea
