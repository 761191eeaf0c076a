// Weights kept by attention: the same as the twin's, at no change of the output.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/base/threads.h"
#include "fovea/kernels/attend.h"
#include "fovea/kernels/attend_plain.h"
#include "fovea/kernels/attend_testing.h"
#include "fovea/kernels/kernel_testing.h"

namespace fovea::kernels {
namespace {

const std::vector<Dim> kHeads = {1, 2};

AttendCase<float> capture_case(float drop = 0) {
  AttendCase<float> c({1, 0, 70, 3, 5, 410, 2}, {9, 4, 70, 0, 3, 820, 400},
                      {.heads = 4, .kv_heads = 2, .scale = 0.7F, .causal = true, .drop = drop});
  c.furthest = 3;
  c.relations = 6;
  c.make();
  return c;
}

void run(AttendCase<float>& c, const Capture<float>& capture = {}) {
  c.forward([](auto&&... args) { attend(args...); }, capture);
}

std::vector<Capture<float>> all_kinds() {
  std::vector<Capture<float>> kinds;
  for (const CaptureKind kind : {CaptureKind::all, CaptureKind::top, CaptureKind::received}) {
    kinds.push_back({.kind = kind, .heads = kHeads, .top = 5});
    kinds.push_back({.kind = kind, .heads = kHeads, .first_query = -1});
    kinds.push_back({.kind = kind, .heads = kHeads, .first_query = 2, .end_query = 60});
  }
  return kinds;
}

TEST(AttendCapture, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for (const Capture<float>& capture : all_kinds()) {
      AttendCase<float> c = capture_case(), twin = c;
      run(c, capture);
      twin.forward(plain::attend<float>, capture);
      ASSERT_EQ(c.weights.size(), twin.weights.size());
      for (std::size_t n = 0; n < c.weights.size(); ++n) {
        ASSERT_NEAR(c.weights[n], twin.weights[n], 1e-5F * (1 + twin.weights[n])) << n;
      }
      if (capture.kind == CaptureKind::top) {
        EXPECT_EQ(c.keys, twin.keys);
      }
    }
  });
}

TEST(AttendCapture, ChangesNoBitOfTheOutput) {
  for (const float drop : {0.0F, 0.3F}) {
    AttendCase<float> without = capture_case(drop);
    run(without);
    for (const Capture<float>& capture : all_kinds()) {
      AttendCase<float> with = capture_case(drop);
      run(with, capture);
      EXPECT_EQ(with.out, without.out);
      EXPECT_EQ(with.lse, without.lse);
    }
  }
}

TEST(AttendCapture, KeepsWeightsBeforeDropout) {
  for (const Capture<float>& capture : all_kinds()) {
    AttendCase<float> with = capture_case(0.3F), without = capture_case(0);
    run(with, capture);
    run(without, capture);
    EXPECT_EQ(with.weights, without.weights);
  }
}

TEST(AttendCapture, BitsDoNotDependOnThreads) {
  const int threads = thread_count();
  for (const Capture<float>& capture : all_kinds()) {
    AttendCase<float> one = capture_case();
    set_thread_count(1);
    run(one, capture);
    for (const int count : {2, 4, 16}) {
      set_thread_count(count);
      AttendCase<float> many = capture_case();
      run(many, capture);
      EXPECT_EQ(one.weights, many.weights);
    }
  }
  set_thread_count(threads);
}

TEST(AttendCapture, WeightsSumToOneAndGiveTheOutput) {
  AttendCase<float> c({600}, {600}, {.heads = 3});
  c.make();
  const std::vector<Dim> heads = {2};
  run(c, {.kind = CaptureKind::all, .heads = heads});
  const plain::AttendHead<float> a(c.input(), c.options, 0, 2);
  for (Dim i = 0; i < 600; ++i) {
    double sum = 0, first = 0;
    for (Dim j = 0; j < 600; ++j) {
      sum += c.weights[i * 600 + j];
      first += static_cast<double>(c.weights[i * 600 + j]) * a.v[j][0];
    }
    ASSERT_NEAR(sum, 1, 1e-5);
    ASSERT_NEAR(first, a.queries_of(c.out_rows())[i][0], 1e-5);
  }
}

TEST(AttendCapture, EqualWeightsAreTakenInOrder) {
  AttendCase<float> c({1}, {40}, {.scale = 0});
  c.make();
  const std::vector<Dim> heads = {0};
  run(c, {.kind = CaptureKind::top, .heads = heads, .top = 3});
  EXPECT_EQ(c.keys, (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(AttendCapture, RefusesHeadsThatAreNotThere) {
  AttendCase<float> c({1}, {1}, {.heads = 2, .kv_heads = 2});
  c.make();
  for (const std::vector<Dim>& heads : {std::vector<Dim>{2}, std::vector<Dim>{1, 0}}) {
    EXPECT_THROW(run(c, {.heads = heads}), Error);
  }
}

}  // namespace
}  // namespace fovea::kernels
