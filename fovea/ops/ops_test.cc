// What holds for every op, tested for every op of op_list.h on its samples.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fovea/autograd/backward.h"
#include "fovea/autograd/gradient_check.h"
#include "fovea/base/threads.h"
#include "fovea/ops/attend_samples.h"
#include "fovea/ops/convolution_samples.h"
#include "fovea/ops/crf_samples.h"
#include "fovea/ops/elementwise_samples.h"
#include "fovea/ops/linear_samples.h"
#include "fovea/ops/loss_samples.h"
#include "fovea/ops/norm_samples.h"
#include "fovea/ops/op_list.h"
#include "fovea/ops/pairs_samples.h"
#include "fovea/ops/pooling_samples.h"
#include "fovea/ops/recurrent_samples.h"
#include "fovea/ops/rope_samples.h"
#include "fovea/ops/rows_samples.h"
#include "fovea/ops/softmax_samples.h"
#include "fovea/ops/spectral_norm_samples.h"

namespace fovea {
namespace {

struct OpCase {
  std::string_view name;
  std::vector<Sample> (*samples)();
};

template <class... Ops>
std::vector<OpCase> cases(OpList<Ops...>) {
  return {{Ops::name, Samples<Ops>::make}...};
}

class EveryOp : public ::testing::TestWithParam<OpCase> {
 protected:
  static std::vector<Sample> samples() { return GetParam().samples(); }
};

std::vector<Var> parameters(const Sample& sample, DType dtype) {
  std::vector<Var> vars;
  for (const Tensor& input : sample.inputs) vars.push_back(Var::parameter(input.clone().to(dtype)));
  return vars;
}

/// The value, then the gradient of each input.
std::vector<Tensor> value_and_gradients(const Sample& sample, DType dtype) {
  const std::vector<Var> inputs = parameters(sample, dtype);
  const Var y = sample.run(inputs);
  Tensor seed = Tensor::empty(y.shape(), DType::f64);
  for (Dim i = 0; i < seed.size(); ++i) {
    seed.mutable_data<double>()[i] = std::sin(1 + static_cast<double>(i));
  }
  std::vector<Tensor> all = {y.value()};
  const Gradients gradients = backward(y, {.seed = seed.to(dtype)});
  for (const Var& input : inputs) all.push_back(gradients[input]);
  return all;
}

TEST_P(EveryOp, HasRightGradients) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.label);
    const GradientCheck check = check_gradients(sample.run, sample.inputs);
    EXPECT_LT(check.worst, 1e-6) << check.where;
  }
}

// The samples of an op must really run that op.
TEST_P(EveryOp, IsWhatItsSamplesRun) {
  for (const Sample& sample : samples()) {
    bool found = false;
    std::vector<const Node*> ahead;
    const Var y = sample.run(parameters(sample, DType::f64));
    for (ahead.push_back(Tape::edge(y).node.get()); !ahead.empty();) {
      const Node* node = ahead.back();
      ahead.pop_back();
      found = found || node->name == GetParam().name;
      for (const Edge& edge : node->edges) {
        if (edge.node) ahead.push_back(edge.node.get());
      }
    }
    EXPECT_TRUE(found) << sample.label << " does not use " << GetParam().name;
  }
}

TEST_P(EveryOp, IsTheSameInSinglePrecision) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.label);
    const auto exact = value_and_gradients(sample, DType::f64);
    const auto single = value_and_gradients(sample, DType::f32);
    for (std::size_t t = 0; t < exact.size(); ++t) {
      ASSERT_EQ(exact[t].shape(), single[t].shape());
      for (Dim i = 0; i < exact[t].size(); ++i) {
        const double expected = exact[t].data<double>()[i];
        ASSERT_NEAR(single[t].data<float>()[i], expected, 2e-5 * (1 + std::abs(expected)))
            << (t == 0 ? "value" : "gradient") << " of tensor " << t << ", element " << i;
      }
    }
  }
}

TEST_P(EveryOp, HasTheSameBitsOnAnyNumberOfThreads) {
  const int before = thread_count();
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.label);
    set_thread_count(1);
    const auto one = value_and_gradients(sample, DType::f32);
    for (int threads : {2, 4}) {
      set_thread_count(threads);
      const auto many = value_and_gradients(sample, DType::f32);
      for (std::size_t t = 0; t < one.size(); ++t)
        EXPECT_TRUE(identical(one[t], many[t])) << threads;
    }
  }
  set_thread_count(before);
}

Tensor half_of(const Tensor& t, bool first_half) {
  const Dim rows = t.shape()[0], half = rows / 2;
  return first_half ? t.slice(0, half) : t.slice(half, rows);
}

TEST_P(EveryOp, GivesARowWhateverElseIsInItsBatch) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.label);
    if (sample.row_inputs == 0) continue;
    const std::vector<Var> whole = parameters(sample, DType::f32);
    const Tensor expected = sample.run(whole).value();
    for (const bool first_half : {true, false}) {
      std::vector<Var> part = whole;
      for (int i = 0; i < sample.row_inputs; ++i) {
        part[i] = half_of(whole[i].value(), first_half);
      }
      EXPECT_TRUE(identical(sample.run(part).value(), half_of(expected, first_half)));
    }
  }
}

// Not a number goes through an op as such; it never crashes or hangs it.
TEST_P(EveryOp, SurvivesNaN) {
  for (Sample sample : samples()) {
    for (Tensor& input : sample.inputs) {
      if (input.size() == 0) continue;
      input = input.clone();
      input.mutable_data<double>()[0] = std::numeric_limits<double>::quiet_NaN();
    }
    EXPECT_NO_THROW(value_and_gradients(sample, DType::f32)) << sample.label;
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, EveryOp, ::testing::ValuesIn(cases(AllOps())), [](const auto& info) {
  std::string name(info.param.name);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

}  // namespace
}  // namespace fovea
