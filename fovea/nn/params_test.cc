#include "fovea/nn/params.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error_testing.h"

namespace fovea {
namespace {

TEST(Params, AreNamedByTheirScopes) {
  Params params(1);
  const Scope layer = params.scope() / "encoder" / 0 / "query";
  EXPECT_EQ(layer.name(), "encoder.0.query");
  layer.param("weight", {3, 4}, init::xavier());
  layer.buffer("mean", {5}, init::zeros());
  ASSERT_NE(params.find("encoder.0.query.weight"), nullptr);
  EXPECT_EQ(params.find("encoder.0.query.bias"), nullptr);
  EXPECT_EQ(params.size(), 12);
  EXPECT_TRUE(params.find("encoder.0.query.weight")->var.needs_gradient());
  EXPECT_FALSE(params.find("encoder.0.query.mean")->var.needs_gradient());
  EXPECT_THROW(layer.param("weight", {3, 4}, init::zeros()), Error) << "named twice";
}

TEST(Params, DependOnSeedAndNameOnly) {
  Params one(1), two(1), other(2);
  const Var a = one.scope().param("a", {4, 4}, init::normal(1));
  two.scope().param("before", {7, 3}, init::normal(1));
  EXPECT_TRUE(identical(a.value(), two.scope().param("a", {4, 4}, init::normal(1)).value()));
  EXPECT_FALSE(identical(a.value(), two.scope().param("b", {4, 4}, init::normal(1)).value()));
  EXPECT_FALSE(identical(a.value(), other.scope().param("a", {4, 4}, init::normal(1)).value()));
}

TEST(Params, ComeFromASource) {
  const Tensor weight = Tensor::of<float>({2}, {1, 2});
  Params params([&](const std::string& name) { return name == "a.weight" ? weight : Tensor(); });
  Var loaded = (params.scope() / "a").param("weight", {2}, init::zeros());
  EXPECT_TRUE(identical(loaded.value(), weight));
  loaded.mutable_value().mutable_data<float>()[0] = 9;
  EXPECT_EQ(weight.data<float>()[0], 1) << "training would write into the source";
  try {
    (params.scope() / "b").param("weight", {2}, init::zeros());
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "params: b.weight (2) is missing from the source");
  }
  Params wrong([&](const std::string&) { return weight; });
  EXPECT_EQ(kind_thrown_by([&] { wrong.scope().param("weight", {3}, init::zeros()); }),
            ErrorKind::bad_file);
}

Tensor drawn(const Init& init, Shape shape) {
  Tensor t = Tensor::empty(shape);
  init(t, Draws{.seed = 3, .site = 4});
  return t;
}

struct Moments {
  double mean = 0, deviation = 0, largest = 0;
};

Moments moments(const Tensor& t) {
  Moments m;
  for (float x : t.span<float>()) {
    m.mean += x / static_cast<double>(t.size());
    m.deviation += static_cast<double>(x) * x / static_cast<double>(t.size());
    m.largest = std::max(m.largest, std::abs(static_cast<double>(x)));
  }
  m.deviation = std::sqrt(m.deviation - m.mean * m.mean);
  return m;
}

TEST(Init, HasTheSpreadThatItsPaperStates) {
  const Shape shape = {300, 100};
  const auto expect = [&](const Init& init, double deviation, double largest) {
    const Moments m = moments(drawn(init, shape));
    EXPECT_NEAR(m.mean, 0, 0.02 * deviation);
    EXPECT_NEAR(m.deviation, deviation, 0.02 * deviation);
    EXPECT_LE(m.largest, largest * 1.000001);
  };
  expect(init::xavier(), std::sqrt(2.0 / 400), std::sqrt(6.0 / 400));
  expect(init::kaiming(), std::sqrt(2.0 / 100), std::sqrt(6.0 / 100));
  expect(init::lecun(), std::sqrt(1.0 / 300), 0.1);
  expect(init::normal(0.02), 0.02, 1);
  expect(init::truncated_normal(0.02), 0.02 * 0.8796, 0.04);
  EXPECT_THROW(drawn(init::xavier(), {5}), Error);
}

TEST(Init, OrthogonalIsOrthogonal) {
  for (Shape shape : {Shape{4, 9}, Shape{9, 4}, Shape{5, 5}}) {
    const Tensor t = drawn(init::orthogonal(), shape);
    const Rows<const float> w = t.view<float>();
    const bool by_rows = w.rows <= w.cols;
    const Dim count = std::min(w.rows, w.cols), length = std::max(w.rows, w.cols);
    for (Dim a = 0; a < count; ++a) {
      for (Dim b = 0; b < count; ++b) {
        double dot = 0;
        for (Dim j = 0; j < length; ++j) dot += by_rows ? w[a][j] * w[b][j] : w[j][a] * w[j][b];
        EXPECT_NEAR(dot, a == b ? 1 : 0, 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace fovea
