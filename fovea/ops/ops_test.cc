// What holds for every op, tested for every op of op_list.h on its samples.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fovea/autograd/backward.h"
#include "fovea/autograd/gradient_check.h"
#include "fovea/base/threads.h"
#include "fovea/ops/attend_samples.h"
#include "fovea/ops/op_list.h"
#include "fovea/ops/pairs_samples.h"
#include "fovea/ops/softmax_samples.h"

namespace fovea {
namespace {

template <class Op>
class EveryOp : public ::testing::Test {};

template <class List>
struct AsTypes;
template <class... Ops>
struct AsTypes<OpList<Ops...>> {
  using Types = ::testing::Types<Ops...>;
};

struct OpNames {
  template <class Op>
  static std::string GetName(int) {
    std::string name(Op::name);
    for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
  }
};

TYPED_TEST_SUITE(EveryOp, AsTypes<AllOps>::Types, OpNames);

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

TYPED_TEST(EveryOp, HasRightGradients) {
  for (const Sample& sample : Samples<TypeParam>::make()) {
    SCOPED_TRACE(sample.label);
    const GradientCheck check = check_gradients(sample.run, sample.inputs);
    EXPECT_LT(check.worst, 1e-6) << check.where;
  }
}

// The samples of an op must really run that op.
TYPED_TEST(EveryOp, IsWhatItsSamplesRun) {
  for (const Sample& sample : Samples<TypeParam>::make()) {
    bool found = false;
    std::vector<const Node*> todo;
    const Var y = sample.run(parameters(sample, DType::f64));
    for (todo.push_back(Tape::edge(y).node.get()); !todo.empty();) {
      const Node* node = todo.back();
      todo.pop_back();
      found = found || node->name == TypeParam::name;
      for (const Edge& edge : node->edges) {
        if (edge.node) todo.push_back(edge.node.get());
      }
    }
    EXPECT_TRUE(found) << sample.label << " does not use " << TypeParam::name;
  }
}

TYPED_TEST(EveryOp, IsTheSameInSinglePrecision) {
  for (const Sample& sample : Samples<TypeParam>::make()) {
    SCOPED_TRACE(sample.label);
    const auto exact = value_and_gradients(sample, DType::f64);
    const auto single = value_and_gradients(sample, DType::f32);
    for (std::size_t t = 0; t < exact.size(); ++t) {
      ASSERT_EQ(exact[t].shape(), single[t].shape());
      for (Dim i = 0; i < exact[t].size(); ++i) {
        const double expected = exact[t].template data<double>()[i];
        ASSERT_NEAR(single[t].template data<float>()[i], expected, 2e-5 * (1 + std::abs(expected)))
            << (t == 0 ? "value" : "gradient") << " of tensor " << t << ", element " << i;
      }
    }
  }
}

TYPED_TEST(EveryOp, HasTheSameBitsOnAnyNumberOfThreads) {
  const int before = thread_count();
  for (const Sample& sample : Samples<TypeParam>::make()) {
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

// Not a number goes through an op as such; it never crashes or hangs it.
TYPED_TEST(EveryOp, SurvivesNaN) {
  for (Sample& sample : Samples<TypeParam>::make()) {
    for (Tensor& input : sample.inputs) {
      if (input.size() == 0) continue;
      input = input.clone();
      input.mutable_data<double>()[0] = std::numeric_limits<double>::quiet_NaN();
    }
    EXPECT_NO_THROW(value_and_gradients(sample, DType::f32)) << sample.label;
  }
}

}  // namespace
}  // namespace fovea
