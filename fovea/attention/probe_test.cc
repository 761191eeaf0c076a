#include "fovea/attention/probe.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/ops/op_samples.h"
#include "fovea/ops/softmax.h"

namespace fovea {
namespace {

// Two heads over sequences of unequal length; one sequence has queries but no keys.
struct Setting {
  Segments queries = Segments::of_lengths({3, 2, 5}), keys = Segments::of_lengths({4, 0, 6});
  Tensor q = normal_sample({10, 8}, 1), k = normal_sample({10, 8}, 2),
         v = normal_sample({10, 8}, 3);
  AttendConfig config = {.heads = 2};

  Var run(Probe* probe, const std::string& layer = "layer.self") const {
    const auto fused = [&](AttendCapture* capture) {
      AttendConfig with = config;
      with.capture = capture;
      return attend(q, k, v, queries, keys, with);
    };
    return probe ? probe->watch(layer, 2, queries, keys, fused) : fused(nullptr);
  }

  AttentionRecord record(const ProbeConfig& asked) const {
    Probe probe(asked);
    run(&probe);
    return *probe.find("layer.self");
  }
};

TEST(Probe, SeesWeightsThatMakeTheOutput) {
  const Setting setting;
  Probe probe;
  const Tensor out = setting.run(&probe).value();
  EXPECT_TRUE(identical(out, setting.run(nullptr).value())) << "looking changed the result";
  const AttentionRecord& record = *probe.find("layer.self");
  for (Dim s = 0; s < 3; ++s) {
    for (Dim h = 0; h < 2; ++h) {
      const Tensor weights = record.matrix(s, h);
      ASSERT_EQ(weights.shape(), (Shape{setting.queries.length(s), setting.keys.length(s)}));
      for (Dim i = 0; i < weights.rows(); ++i) {
        double sum = 0;
        std::vector<double> read(4, 0);
        for (Dim j = 0; j < weights.cols(); ++j) {
          const double w = weights.view<double>()[i][j];
          sum += w;
          for (Dim d = 0; d < 4; ++d) {
            read[d] += w * setting.v.view<double>()[setting.keys.begin(s) + j][4 * h + d];
          }
        }
        EXPECT_NEAR(sum, weights.cols() > 0 ? 1 : 0, 1e-12);
        for (Dim d = 0; d < 4; ++d) {
          EXPECT_NEAR(read[d], out.view<double>()[setting.queries.begin(s) + i][4 * h + d], 1e-12);
        }
      }
    }
  }
}

TEST(Probe, KeepsOnlyWhatWasAskedFor) {
  const Setting setting;
  const AttentionRecord all = setting.record({});
  const AttentionRecord last = setting.record({.heads = {1}, .first_query = -1});
  EXPECT_EQ(last.weights.size(), 4 + 0 + 6);
  for (Dim s : {0, 2}) {
    const Tensor whole = all.matrix(s, 1);
    EXPECT_TRUE(identical(last.matrix(s, 0), whole.slice(whole.rows() - 1, whole.rows())));
  }
  const AttentionRecord received = setting.record({.keep = Keep::received});
  const AttentionRecord top = setting.record({.keep = Keep::top, .top = 5});
  for (Dim s = 0; s < 3; ++s) {
    const Tensor whole = all.matrix(s, 1), sums = received.received(s, 1);
    const auto [weights, keys] = top.largest(s, 1);
    ASSERT_EQ(weights.shape(), (Shape{whole.rows(), 5}));
    for (Dim j = 0; j < whole.cols(); ++j) {
      double sum = 0;
      for (Dim i = 0; i < whole.rows(); ++i) sum += whole.view<double>()[i][j];
      EXPECT_NEAR(sums.data<double>()[j], sum, 1e-12);
    }
    for (Dim i = 0; i < whole.rows(); ++i) {
      for (Dim t = 0; t < 5; ++t) {
        const std::int32_t key = keys.view<std::int32_t>()[i][t];
        const double weight = weights.view<double>()[i][t];
        ASSERT_EQ(key, t < whole.cols() ? key : -1);
        EXPECT_EQ(weight, key < 0 ? 0 : whole.view<double>()[i][key]);
        EXPECT_LE(weight, weights.view<double>()[i][std::max<Dim>(t - 1, 0)]);
      }
    }
  }
}

// The ordinary path gives the same records as the fused one, of every kind.
TEST(Probe, RecordsPairsAsItRecordsTheKernel) {
  Setting setting;
  setting.config.causal = true;
  const Pairs pairs = pairs_in_reach(setting.queries, setting.keys, {.causal = true});
  const Var scores = pair_dot(setting.q, setting.k, pairs, 2);
  Tensor weights = Tensor::zeros({pairs.count(), 2}, DType::f64);
  for (Dim h = 0; h < 2; ++h) {
    for (Dim q = 0; q < pairs.query_rows(); ++q) {
      double sum = 0;
      const auto e = [&](Dim p) { return std::exp(scores.value().view<double>()[p][h] / 2); };
      for (Dim p = pairs.of_query.begin(q); p < pairs.of_query.end(q); ++p) sum += e(p);
      for (Dim p = pairs.of_query.begin(q); p < pairs.of_query.end(q); ++p) {
        weights.mutable_view<double>()[p][h] = e(p) / sum;
      }
    }
  }
  for (Keep keep : {Keep::all, Keep::top, Keep::received}) {
    Probe ordinary({.keep = keep, .top = 3});
    ordinary.keep("layer.self", weights, pairs, setting.queries, setting.keys);
    const AttentionRecord expected = setting.record({.keep = keep, .top = 3});
    const AttentionRecord& found = *ordinary.find("layer.self");
    ASSERT_EQ(found.weights.size(), expected.weights.size());
    for (Dim i = 0; i < found.weights.size(); ++i) {
      EXPECT_NEAR(found.weights.data<double>()[i], expected.weights.data<double>()[i], 1e-12);
    }
    EXPECT_TRUE(identical(found.top_keys, expected.top_keys));
  }
}

TEST(Probe, ChoosesLayersByName) {
  const Probe probe({.where = "decoder.*.cross"});
  EXPECT_TRUE(probe.wants("decoder.3.cross"));
  EXPECT_FALSE(probe.wants("decoder.3.self"));
  EXPECT_FALSE(probe.wants("encoder.3.cross"));
  EXPECT_TRUE(Probe().wants("anything"));
  EXPECT_EQ(Probe().find("anything"), nullptr);
}

TEST(Probe, MatchesNamesInLittleTime) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "a.b.b.c"));
  EXPECT_TRUE(matches("**a", "a"));
  EXPECT_FALSE(matches("a*b", "a.b.c"));
  EXPECT_FALSE(matches("", "a"));
  std::string hostile;
  for (int i = 0; i < 200; ++i) hostile += "*a";
  EXPECT_FALSE(matches(hostile + "b", std::string(400, 'a')));
}

TEST(Probe, AsksSomeLayersForSomethingElse) {
  const Setting setting;
  Probe probe({.where = "self*", .keep = Keep::top, .top = 2});
  probe.except({.where = "*.few"});
  for (const char* layer : {"self.0", "self.few", "cross.0"}) setting.run(&probe, layer);
  ASSERT_EQ(probe.records().size(), 2U);
  EXPECT_EQ(probe.find("self.0")->keep, Keep::top);
  EXPECT_EQ(probe.find("self.few")->keep, Keep::all);
}

TEST(Probe, KeepsTheTopOfWhatIsTooLarge) {
  const Setting setting;
  EXPECT_EQ(setting.record({.or_top = true}).keep, Keep::all);
  const AttentionRecord large = setting.record({.top = 1, .limit = 80, .or_top = true});
  EXPECT_EQ(large.keep, Keep::top);
  EXPECT_TRUE(identical(large.weights, setting.record({.keep = Keep::top, .top = 1}).weights));
  EXPECT_THROW(setting.record({.limit = 10, .or_top = true}), Error);
}

TEST(Probe, SaysWhatIsWrong) {
  const Setting setting;
  EXPECT_THROW(setting.record({.heads = {2}}), Error);
  EXPECT_THROW(Probe({.heads = {1, 0}}), Error);
  EXPECT_THROW(Probe({.top = 0}), Error);
  EXPECT_THROW(setting.record({}).received(0, 0), Error);
  EXPECT_THROW(setting.record({}).matrix(3, 0), Error);
  try {
    setting.record({.limit = 10});
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("more than the limit"), std::string::npos);
    EXPECT_EQ(error.kind(), ErrorKind::too_large);
  }
}

}  // namespace
}  // namespace fovea
