/// A task for tests of the loop: two layers with dropout learn the sign of a sum, in milliseconds.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "fovea/config/config.h"
#include "fovea/nn/linear.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// A folder that is gone after the test.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "fovea-train-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

class TestWork : public Workload {
 public:
  static constexpr Dim batches = 6, width = 4;

  explicit TestWork(DType dtype = DType::f32, double dropout = 0.1)
      : params_(7, dtype),
        hidden_(params_.scope() / "hidden", width, 8),
        out_(params_.scope() / "out", 8, 1),
        dropout_(dropout) {}

  std::function<void(Dim epoch, Dim batch)> on_batch = [](Dim, Dim) {};
  std::function<std::vector<Figure>(double loss)> figures = [](double loss) {
    return std::vector<Figure>{{"loss", loss, false}, {"score", -loss, true}};
  };
  std::vector<std::string> names = {};
  Dim validations = 0;

  Params& params() override { return params_; }
  Dim examples() const override { return batches; }
  std::vector<LossPart> parts() const override { return {{"loss"}, {"extra", 0.5}}; }
  Dim begin_epoch(Dim epoch) override {
    epoch_ = epoch;
    return batches;
  }
  /// Batches are of unequal sizes; the second loss is in every other one.
  std::vector<double> counts(Dim batch) override {
    const auto rows = static_cast<double>(rows_of_batch(batch));
    return {rows, batch % 2 == 0 ? rows : 0};
  }
  std::vector<Var> losses(Dim batch, const Pass& pass) override {
    on_batch(epoch_, batch);
    std::vector<Var> losses = loss_of(rows_of_batch(batch), epoch_ * 100 + batch, pass);
    if (batch % 2 != 0) losses[1] = {};
    return losses;
  }
  std::string describe(Dim batch) override { return concat("rows of batch ", batch); }
  std::vector<Figure> validate() override {
    ++validations;
    const NoTape no_tape;
    return figures(loss_of(20, 99999, {})[0].item() / 20);
  }
  std::vector<std::string> figure_names() const override { return names; }
  std::vector<std::string> show(Dim step) override { return {concat("shown at ", step)}; }
  std::vector<std::string> save_rest(const std::string& folder) override {
    std::ofstream(std::filesystem::path(folder) / "rest.json") << "{}";
    return {"rest.json"};
  }

  static Dim rows_of_batch(Dim batch) { return 3 + batch; }

  std::vector<Tensor> values() {
    std::vector<Tensor> values;
    for (const Parameter& p : params_.all()) values.push_back(p.var.value().clone());
    return values;
  }

 private:
  std::vector<Var> loss_of(Dim rows, Dim which, const Pass& pass) {
    Tensor x = Tensor::empty({rows, width}), y = Tensor::empty({rows, 1});
    init::normal(1)(x, Draws{.seed = 3, .site = static_cast<std::uint64_t>(which)});
    for (Dim r = 0; r < rows; ++r) {
      const float* row = x.view<float>()[r];
      y.mutable_data<float>()[r] = row[0] + row[1] > row[2] ? 1.0F : -1.0F;
    }
    const DType dtype = hidden_.weight.dtype();
    Var h = tanh(hidden_(Var(x.to(dtype))));  // (rows, 8)
    h = dropout(h, dropout_, pass.rng);
    const Var miss = sub(out_(h), Var(y.to(dtype)));  // (rows, 1)
    return {sum(mul(miss, miss)), sum(mul(h, h))};
  }

  Params params_;
  Linear hidden_, out_;
  double dropout_;
  Dim epoch_ = 0;
};

inline TrainConfig config_of(Dim steps) {
  return {.steps = steps, .schedule = {.rate = 0.02, .warmup = 5}, .clip = 1, .log_every = 3};
}

inline TrainOptions in(const std::filesystem::path& folder, bool resume = false) {
  return {.folder = folder, .resume = resume, .quiet = true};
}

/// Of metrics.jsonl, without what the clock says.
inline std::vector<Json> lines_of(const std::filesystem::path& path) {
  std::vector<Json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    Json json = Json::parse(line);
    json.erase("seconds");
    json.erase("per_second");
    lines.push_back(json);
  }
  return lines;
}

inline void expect_identical(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(identical(a[i], b[i])) << i;
}

}  // namespace fovea
