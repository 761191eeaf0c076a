#include "fovea/models/cloze_reader.h"

#include <cmath>

#include "fovea/attention/probe.h"
#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"

namespace fovea {
namespace {

constexpr std::array<ReaderFamily, 2> families = {ReaderFamily::attention_sum,
                                                  ReaderFamily::attention_over_attention};

ClozeReaderConfig small(ReaderFamily family) {
  return {.family = family, .vocabulary = 9, .width = 5, .hidden = 3, .dropout = 0.3};
}

const std::vector<Ids> kDocuments = {{3, 4, 5, 3, 6}, {7}, {1, 8, 8, 2}};
const std::vector<Ids> kQuestions = {{4, 0, 6}, {0}, {8, 0}};
// The answers are 3 (twice), 7 and 8 (twice): their rows.
const std::vector<Ids> kPlaces = {{0, 3}, {5}, {7, 8}};

class EachClozeReader : public ::testing::TestWithParam<ReaderFamily> {};
INSTANTIATE_TEST_SUITE_P(ClozeReader, EachClozeReader, ::testing::ValuesIn(families),
                         [](const auto& info) {
                           return info.param == ReaderFamily::attention_sum ? "sum" : "over";
                         });

TEST_P(EachClozeReader, HasTheRightGradients) {
  Params params(3, DType::f64);
  const ClozeReader reader(params.scope(), small(GetParam()));
  expect_right_gradients(params, [&] {
    Rng rng{.seed = 5};  // the same dropout each time
    const Var s = reader(joined(kDocuments), joined(kQuestions), {.rng = &rng});
    return scale(sum(log(probability_of(s, joined(kPlaces)))), -1);
  });
}

/// s as the papers write it, with the rows of an example in loops.
std::vector<double> plainly(ReaderFamily family, const Tensor& f, const Tensor& g,
                            const std::vector<double>& last) {
  const auto d = static_cast<std::size_t>(f.rows()), q = static_cast<std::size_t>(g.rows());
  const auto rows_f = f.view<double>(), rows_g = g.view<double>();
  const auto dot = [&](std::size_t i, const double* other) {
    double sum = 0;
    for (Dim c = 0; c < f.cols(); ++c) sum += rows_f[static_cast<Dim>(i)][c] * other[c];
    return sum;
  };
  std::vector<double> s(d, 0);
  if (family == ReaderFamily::attention_sum) {
    double total = 0;
    for (std::size_t i = 0; i < d; ++i) total += s[i] = std::exp(dot(i, last.data()));
    for (double& one : s) one /= total;
    return s;
  }
  std::vector<std::vector<double>> e(d, std::vector<double>(q));  // exp M
  std::vector<double> by_row(d, 0), by_column(q, 0), beta(q, 0);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < q; ++j) {
      e[i][j] = std::exp(dot(i, rows_g[static_cast<Dim>(j)]));
      by_row[i] += e[i][j];
      by_column[j] += e[i][j];
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < q; ++j) beta[j] += e[i][j] / by_row[i] / static_cast<double>(d);
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < q; ++j) s[i] += e[i][j] / by_column[j] * beta[j];
  }
  return s;
}

TEST_P(EachClozeReader, IsWhatThePaperWrites) {
  const NoTape no_tape;
  Params params(4, DType::f64);
  const ClozeReader reader(params.scope(), small(GetParam()));
  const Sequences documents = joined(kDocuments), questions = joined(kQuestions);
  const Tensor s = reader(documents, questions, {}).value();
  ASSERT_EQ(s.shape(), (Shape{10, 1}));
  const Tensor f =
      reader.document(reader.words(documents.ids), documents.segments, {}).rows.value();
  const auto read = reader.question(reader.words(questions.ids), questions.segments, {});
  for (Dim e = 0; e < 3; ++e) {
    std::vector<double> last;
    for (const Var& state : read.states) {
      const double* row = state.value().view<double>()[e];
      last.insert(last.end(), row, row + 3);
    }
    const auto rows = [&](const Tensor& of, const Segments& segments) {
      return of.slice(segments.begin(e), segments.end(e));
    };
    const auto expected = plainly(GetParam(), rows(f, documents.segments),
                                  rows(read.rows.value(), questions.segments), last);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(s.data<double>()[documents.segments.begin(e) + static_cast<Dim>(i)], expected[i],
                  1e-13);
    }
  }
}

TEST_P(EachClozeReader, GivesAnExampleTheSameBitsAloneAndAmongOthers) {
  const NoTape no_tape;
  Params params(5);
  const ClozeReader reader(params.scope(), small(GetParam()));
  const Sequences documents = joined(kDocuments);
  const Tensor all = reader(documents, joined(kQuestions), {}).value();
  for (std::size_t e = 0; e < 3; ++e) {
    const Tensor alone =
        reader(joined(std::vector<Ids>{kDocuments[e]}), joined(std::vector<Ids>{kQuestions[e]}), {})
            .value();
    const auto at = static_cast<Dim>(e);
    EXPECT_TRUE(identical(
        alone, all.slice(documents.segments.begin(at), documents.segments.end(at)).clone()));
  }
  EXPECT_EQ(reader(joined(std::vector<Ids>()), joined(std::vector<Ids>()), {}).shape(),
            (Shape{0, 1}));
}

TEST_P(EachClozeReader, TellsAProbeWhereItLooked) {
  Params params(6);
  const ClozeReader reader(params.scope(), small(GetParam()));
  Probe probe;
  const Var s = reader(joined(kDocuments), joined(kQuestions), {.probe = &probe});
  const bool over = GetParam() == ReaderFamily::attention_over_attention;
  ASSERT_EQ(probe.records().size(), over ? 3 : 1);
  EXPECT_TRUE(identical(probe.find("answer")->matrix(2, 0).reshape({4, 1}).clone(),
                        s.value().slice(6, 10).clone()));
  if (!over) return;
  const Tensor matching = probe.find("matching")->matrix(0, 0);
  EXPECT_EQ(matching.shape(), (Shape{3, 5}));
  const Tensor question = probe.find("question")->matrix(0, 0);
  ASSERT_EQ(question.shape(), (Shape{1, 3}));
  for (Dim i = 0; i < 5; ++i) {  // s = alpha beta
    float expected = 0;
    for (Dim j = 0; j < 3; ++j) {
      expected += matching.view<float>()[j][i] * question.view<float>()[0][j];
    }
    EXPECT_NEAR(s.value().data<float>()[i], expected, 1e-6);
  }
}

TEST(ClozeReader, RefusesWhatDoesNotFit) {
  Params params(7);
  const ClozeReader reader(params.scope(), small(ReaderFamily::attention_sum));
  EXPECT_THROW(reader(joined(kDocuments), joined(std::vector<Ids>{{0}}), {}), Error);
  EXPECT_THROW(ClozeReader(params.scope() / "other", {.vocabulary = 0}), Error);
}

}  // namespace
}  // namespace fovea
