#include "fovea/models/text_classifier.h"

#include "fovea/attention/probe.h"
#include "fovea/models/model_testing.h"
#include "fovea/models/word_bag.h"
#include "fovea/ops/loss.h"

namespace fovea {
namespace {

using Family = ClassifierFamily;

constexpr std::array<Family, 8> all_families = {
    Family::class_query, Family::static_sum,   Family::hierarchical, Family::conditional,
    Family::attentive,   Family::word_by_word, Family::encoder,      Family::aligned};

/// Its vectors are of size 1, so that differences can follow their gradients.
TextEncoderConfig small_encoder() {
  TextEncoderConfig c;
  c.vocabulary = 9, c.layers = 2, c.width = 6, c.hidden = 5, c.heads = 2, c.kinds = 2;
  c.positions = Positions::sinusoidal;
  return c;
}

TextClassifierConfig small(Family family) {
  return {.family = family,
          .vocabulary = 9,
          .classes = 3,
          .width = 6,
          .heads = family == Family::class_query ? 2 : 1,
          .ngrams = family == Family::class_query || family == Family::static_sum ? 3 : 1,
          .buckets = 4,
          .hidden = 4,
          .attention = 5,
          .dropout = 0.3,
          .encoder = small_encoder(),
          .pooling = TextPooling::attention};
}

/// Texts as sentences of ids, and second texts.
TextBatch batch_of(const std::vector<std::vector<Ids>>& texts, const std::vector<Ids>& second) {
  std::vector<Ids> sentences;
  std::vector<Dim> lengths;
  for (const auto& text : texts) {
    lengths.push_back(static_cast<Dim>(text.size()));
    sentences.insert(sentences.end(), text.begin(), text.end());
  }
  return {joined(sentences), Segments::of_lengths(lengths), joined(second)};
}

const std::vector<std::vector<Ids>> kTexts = {
    {{3, 4, 5}, {6, 7}}, {{8}}, {{3, 3, 7, 1}, {0, 2}, {5}}, {{6, 4}}};
const std::vector<Ids> kSecond = {{4, 5}, {6, 8, 2, 7}, {3}, {1, 0, 4, 4}};

class EachFamily : public ::testing::TestWithParam<Family> {};
INSTANTIATE_TEST_SUITE_P(TextClassifier, EachFamily, ::testing::ValuesIn(all_families),
                         [](const auto& info) {
                           std::string name(
                               names_of(Family{})[static_cast<std::size_t>(info.param)]);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(EachFamily, HasTheRightGradients) {
  Params params(3, DType::f64);
  const auto model = TextClassifier::make(params.scope(), small(GetParam()));
  const TextBatch batch = batch_of(kTexts, kSecond);
  const Tensor labels = Tensor::of<std::int32_t>({4}, {0, 2, 1, 2});
  expect_right_gradients(params, [&] {
    Rng rng{.seed = 5};  // the same dropout each time
    return cross_entropy(model->logits(batch, {.rng = &rng}), labels);
  });
}

TEST(TextClassifier, DotProductsHaveTheRightGradients) {
  for (const Family family : {Family::attentive, Family::word_by_word}) {
    Params params(3, DType::f64);
    TextClassifierConfig config = small(family);
    config.score = Score::scaled_dot;
    const auto model = TextClassifier::make(params.scope(), config);
    const TextBatch batch = batch_of(kTexts, kSecond);
    const Tensor labels = Tensor::of<std::int32_t>({4}, {0, 2, 1, 2});
    expect_right_gradients(params, [&] { return cross_entropy(model->logits(batch, {}), labels); });
  }
}

TEST(TextClassifier, WordsThatFiltersReadHaveTheRightGradients) {
  for (const Family family : {Family::class_query, Family::static_sum}) {
    Params params(3, DType::f64);
    TextClassifierConfig config = small(family);
    config.ngrams = 1;
    config.windows = {2, 3};
    const auto model = TextClassifier::make(params.scope(), config);
    const TextBatch batch = batch_of(kTexts, kSecond);
    const Tensor labels = Tensor::of<std::int32_t>({4}, {0, 2, 1, 2});
    expect_right_gradients(params, [&] { return cross_entropy(model->logits(batch, {}), labels); });
  }
}

TEST(TextClassifier, QueriesWithoutProjectionsHaveTheRightGradients) {
  for (const std::vector<Dim>& windows : {std::vector<Dim>{}, {2, 3}}) {
    Params params(3, DType::f64);
    TextClassifierConfig config = small(Family::class_query);
    config.projections = false;
    config.ngrams = 1;
    config.windows = windows;
    const auto model = TextClassifier::make(params.scope(), config);
    const TextBatch batch = batch_of(kTexts, kSecond);
    const Tensor labels = Tensor::of<std::int32_t>({4}, {0, 2, 1, 2});
    expect_right_gradients(params, [&] { return cross_entropy(model->logits(batch, {}), labels); });
  }
}

TEST(EncoderClassifier, EachPoolingHasTheRightGradients) {
  for (const TextPooling pooling : {TextPooling::first, TextPooling::mean, TextPooling::max}) {
    Params params(3, DType::f64);
    TextClassifierConfig config = small(Family::encoder);
    config.pooling = pooling;
    const auto model = TextClassifier::make(params.scope(), config);
    const TextBatch batch = batch_of(kTexts, kSecond);
    const Tensor labels = Tensor::of<std::int32_t>({4}, {0, 2, 1, 2});
    expect_right_gradients(params, [&] { return cross_entropy(model->logits(batch, {}), labels); });
  }
}

// Also a text without words, and no texts at all.
TEST_P(EachFamily, GivesATextTheSameBitsAloneAndAmongOthers) {
  const NoTape no_tape;
  Params params(3);
  const auto model = TextClassifier::make(params.scope(), small(GetParam()));
  auto texts = kTexts;
  auto second = kSecond;
  texts.push_back({});
  second.push_back({});
  texts.push_back({{4, 7}});
  second.push_back({});
  const Tensor all = model->logits(batch_of(texts, second), {}).value();
  ASSERT_EQ(all.shape(), (Shape{6, 3}));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Tensor alone = model->logits(batch_of({texts[i]}, {second[i]}), {}).value();
    EXPECT_TRUE(identical(alone, all.slice(static_cast<Dim>(i), static_cast<Dim>(i) + 1).clone()))
        << i;
  }
  EXPECT_EQ(model->logits(batch_of({}, {}), {}).shape(), (Shape{0, 3}));
}

// A probe changes nothing, and the weights of each query sum to 1.
TEST_P(EachFamily, ShowsWhereItLooked) {
  const NoTape no_tape;
  Params params(3);
  const auto model = TextClassifier::make(params.scope(), small(GetParam()));
  const TextBatch batch = batch_of(kTexts, kSecond);
  Probe probe;
  const Tensor watched = model->logits(batch, {.probe = &probe}).value();
  EXPECT_TRUE(identical(watched, model->logits(batch, {}).value()));
  const std::size_t layers = GetParam() == Family::conditional    ? 0
                             : GetParam() == Family::hierarchical ? 2
                             : GetParam() == Family::aligned      ? 2
                             : GetParam() == Family::encoder      ? 3  // two, and the pooling
                                                                  : 1;
  ASSERT_EQ(probe.records().size(), layers);
  for (const AttentionRecord& record : probe.records()) {
    for (Dim s = 0; s < record.sequences(); ++s) {
      for (std::size_t h = 0; h < record.heads.size(); ++h) {
        const Tensor weights = record.matrix(s, static_cast<Dim>(h));
        for (Dim q = 0; q < weights.rows(); ++q) {
          double sum = 0;
          for (Dim k = 0; k < weights.cols(); ++k) sum += weights.view<float>()[q][k];
          EXPECT_NEAR(sum, 1, 1e-5) << record.layer << " " << s << " " << q;
        }
      }
    }
  }
}

TEST(TextClassifier, RefusesWhatMakesNoSense) {
  const auto refuses = [](auto change) {
    TextClassifierConfig config = small(Family::hierarchical);
    change(config);
    Params params(1);
    EXPECT_THROW(TextClassifier::make(params.scope(), config), Error);
  };
  refuses([](auto& c) { c.ngrams = 2; });
  refuses([](auto& c) { c.heads = 2; });
  refuses([](auto& c) { c.projections = false; });
  refuses([](auto& c) { c.score = Score::dot; });
  refuses([](auto& c) { c.classes = 1; });
  refuses([](auto& c) { c.family = Family::class_query, c.heads = 4; });  // of 6 columns
  const auto of_filters = [](TextClassifierConfig& c) {  // which are 8, 4 of each window
    c.family = Family::class_query, c.projections = false, c.windows = {2, 3}, c.ngrams = 1;
  };
  refuses([&](auto& c) { of_filters(c), c.heads = 3; });
  TextClassifierConfig fits = small(Family::hierarchical);
  of_filters(fits), fits.heads = 4;
  EXPECT_NO_THROW(check(fits));
}

// Each n-gram's last word and length; the first of each length begins before the text.
TEST(WordBag, HasNGrams) {
  const auto last_and_length = [](std::size_t words, Dim longest) {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (const NGram& ngram : ngrams_of(words, longest)) {
      all.emplace_back(ngram.last, ngram.length);
    }
    return all;
  };
  using All = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(last_and_length(3, 3), (All{{0, 2}, {1, 2}, {2, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(last_and_length(1, 3), (All{{0, 2}}));
  EXPECT_EQ(last_and_length(0, 3), All{});
  EXPECT_EQ(last_and_length(3, 1), All{});

  Params params(1);
  TextClassifierConfig config = small(Family::class_query);
  config.buckets = 1 << 20;
  const WordBag bag(params.scope(), config);
  const Tensor ids = bag.ids(batch_of({{{3, 4}}, {{4, 3}}, {{3}, {4}}}, {})).ids;
  const std::int32_t* at = ids.data<std::int32_t>();  // 2 words, 2 pairs, 1 triple each
  EXPECT_NE(at[3], at[5 + 3]);                        // 3 4 is not 4 3
  EXPECT_NE(at[2], at[5 + 2]);                        // nor do they begin alike
  EXPECT_TRUE(std::equal(at, at + 5, at + 10));       // sentences do not part them
}

/// Trains on batches that `example` draws: it fills text and second and gives the label.
double learned_loss(const TextClassifier& model, Params& params, Dim steps,
                    const std::function<std::int32_t(Draws, std::vector<Ids>&, Ids&)>& example) {
  constexpr Dim texts = 16;
  return learn(params, steps, 0.01, [&](Dim step) {
    std::vector<std::vector<Ids>> first(texts);
    std::vector<Ids> second(texts);
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < texts; ++i) {
      const Draws draws{.seed = 7, .site = static_cast<std::uint64_t>(step) * texts + i};
      labels.push_back(example(draws, first[i], second[i]));
    }
    return cross_entropy(model.logits(batch_of(first, second), {}),
                         Tensor::from<std::int32_t>({texts}, labels));
  });
}

/// Twelve words, of which one (3, 4 or 5) tells the class and the rest (6, 7, 8) nothing.
std::int32_t one_word_tells(Draws draws, std::vector<Ids>& text, Ids&) {
  Ids words;
  for (std::uint64_t i = 0; i < 12; ++i) {
    words.push_back(6 + static_cast<std::int32_t>(draws.below(i, 3)));
  }
  const auto label = static_cast<std::int32_t>(draws.below(20, 3));
  words[draws.below(21, 12)] = 3 + label;
  text = {words};
  return label;
}

TEST(ClassQuery, FindsTheWordThatTellsTheClass) {
  Params params(1);
  TextClassifierConfig config = small(Family::class_query);
  config.ngrams = 1, config.heads = 1, config.width = 16;
  const auto model = TextClassifier::make(params.scope(), config);
  EXPECT_LT(learned_loss(*model, params, 300, one_word_tells), 0.02);
  Probe probe({.where = "classes"});
  model->logits(batch_of({{{6, 7, 8, 7, 6, 6, 4, 8, 8, 7, 6, 8}}}, {{}}), {.probe = &probe});
  // An even look would give each word 1/12.
  EXPECT_GT(probe.records()[0].matrix(0, 0).view<float>()[1][6], 0.5F);
}

TEST(EncoderClassifier, ShowsWhereTheLargestCameFrom) {
  const NoTape no_tape;
  Params params(3);
  TextClassifierConfig config = small(Family::encoder);
  config.pooling = TextPooling::max;
  config.encoder.family = TextFamily::convolution, config.encoder.kinds = 0;
  const auto model = TextClassifier::make(params.scope(), config);
  const TextBatch batch = batch_of(kTexts, kSecond);
  Probe probe;
  const Tensor watched = model->logits(batch, {.probe = &probe}).value();
  EXPECT_TRUE(identical(watched, model->logits(batch, {}).value()));
  ASSERT_EQ(probe.records().size(), 1U);
  const Tensor shares = probe.records()[0].matrix(0, 0);
  ASSERT_EQ(shares.shape(), (Shape{1, 7}));
  double sum = 0;
  for (Dim k = 0; k < 7; ++k) sum += shares.view<float>()[0][k];
  EXPECT_NEAR(sum, 1, 1e-5);
}

/// Whether the second text's word stands in the first: nothing that one of them tells alone.
std::int32_t second_is_in_first(Draws draws, std::vector<Ids>& text, Ids& second) {
  const auto a = static_cast<std::int32_t>(draws.below(0, 3));
  const auto b = static_cast<std::int32_t>((a + 1 + draws.below(1, 2)) % 3);
  const std::uint32_t label = draws.below(2, 2);
  text = {{1, 3 + a, 6, 2}};
  second = {label == 1 ? 3 + a : 3 + b, 2};
  return static_cast<std::int32_t>(label);
}

TEST(EncoderClassifier, ComparesTheTextsOfAPair) {
  Params params(1);
  TextClassifierConfig config = small(Family::encoder);
  config.encoder.width = 16, config.encoder.hidden = 32, config.encoder.dropout = 0;
  config.pooling = TextPooling::first;
  const auto model = TextClassifier::make(params.scope(), config);
  EXPECT_LT(learned_loss(*model, params, 300, second_is_in_first), 0.05);
}

TEST(AlignedPair, TellsWhetherAWordHasAnEqual) {
  Params params(1);
  TextClassifierConfig config = small(Family::aligned);
  config.width = 16, config.hidden = 16;
  const auto model = TextClassifier::make(params.scope(), config);
  Probe probe({.where = "second"});
  model->logits(batch_of({{{3, 4, 5}}}, {{4}}), {.probe = &probe});
  // Before anything was learned.
  EXPECT_GT(probe.records()[0].matrix(0, 0).view<float>()[0][1], 0.9F);
  EXPECT_LT(learned_loss(*model, params, 200, second_is_in_first), 0.05);
}

TEST(StaticSum, WeighsTheWordsThatTellTheClass) {
  Params params(1);
  TextClassifierConfig config = small(Family::static_sum);
  config.ngrams = 1, config.width = 16;
  const auto model = TextClassifier::make(params.scope(), config);
  EXPECT_LT(learned_loss(*model, params, 300, one_word_tells), 0.02);
  Probe probe({.where = "text"});
  model->logits(batch_of({{{6, 7, 8, 7, 6, 6, 4, 8, 8, 7, 6, 8}}}, {{}}), {.probe = &probe});
  EXPECT_GT(probe.records()[0].matrix(0, 0).view<float>()[0][6], 2.0F / 12);
}

// Four sentences "marker word"; the word after the marker 3 tells the class, those after 4 do not:
// one must know which word follows which, and which sentence counts. A bag of words cannot.
TEST(Hierarchical, FindsTheSentenceAndInItTheWord) {
  Params params(1);
  TextClassifierConfig config = small(Family::hierarchical);
  config.hidden = config.attention = 12, config.width = 12;
  const auto model = TextClassifier::make(params.scope(), config);
  const auto example = [](Draws draws, std::vector<Ids>& text, Ids&) {
    const std::uint32_t counts = draws.below(0, 4);
    std::int32_t label = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const auto word = static_cast<std::int32_t>(draws.below(1 + i, 3));
      if (i == counts) label = word;
      text.push_back({i == counts ? 3 : 4, 6 + word});
    }
    return label;
  };
  EXPECT_LT(learned_loss(*model, params, 400, example), 0.05);
  Probe probe({.where = "sentences"});
  model->logits(batch_of({{{4, 6}, {4, 7}, {3, 8}, {4, 6}}}, {{}}), {.probe = &probe});
  EXPECT_GT(probe.records()[0].matrix(0, 0).view<float>()[0][2], 0.5F);
}

/// Do all words of the second text stand in the first?
std::int32_t holds_all(Draws draws, std::vector<Ids>& text, Ids& second) {
  Ids first;
  for (std::uint64_t i = 0; i < 3; ++i) {
    first.push_back(3 + static_cast<std::int32_t>(draws.below(i, 6)));
  }
  const bool all = draws.below(10, 2) == 0;
  std::int32_t other = 3 + static_cast<std::int32_t>(draws.below(11, 6));
  while (std::find(first.begin(), first.end(), other) != first.end()) other = 3 + (other - 2) % 6;
  second = {first[draws.below(12, 3)], first[draws.below(13, 3)]};
  if (!all) second[draws.below(14, 2)] = other;
  text = {first};
  return all ? 0 : 1;
}

class EachPairReader : public ::testing::TestWithParam<std::pair<Family, double>> {};
INSTANTIATE_TEST_SUITE_P(Entailment, EachPairReader,
                         ::testing::Values(std::pair(Family::conditional, 0.55),
                                           std::pair(Family::attentive, 0.4),
                                           std::pair(Family::word_by_word, 0.3)));

// A reader of the second text alone stays at log 2 = 0.69.
TEST_P(EachPairReader, ComparesTwoTexts) {
  const auto [family, bound] = GetParam();
  Params params(1);
  TextClassifierConfig config = small(family);
  config.hidden = 16, config.width = 16;
  const auto model = TextClassifier::make(params.scope(), config);
  EXPECT_LT(learned_loss(*model, params, 700, holds_all), bound);
}

}  // namespace
}  // namespace fovea
