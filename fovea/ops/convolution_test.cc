// What is particular to windows; that gradients are right is tested with all ops.
#include "fovea/ops/convolution.h"

#include <gtest/gtest.h>

#include "fovea/autograd/backward.h"
#include "fovea/base/threads.h"
#include "fovea/ops/expect_error.h"
#include "fovea/ops/linear.h"
#include "fovea/ops/op_samples.h"
#include "fovea/ops/pooling.h"

namespace fovea {
namespace {

Var column(std::initializer_list<double> numbers) {
  return Tensor::of<double>({static_cast<Dim>(numbers.size()), 1}, numbers);
}
std::vector<double> numbers(const Var& x) {
  const auto span = x.value().span<double>();
  return {span.begin(), span.end()};
}

using Numbers = std::vector<double>;

TEST(Convolution, DoesNotReachIntoItsNeighbours) {
  const Segments segments = Segments::of_lengths({3, 2});
  const Var x = column({1, 2, 3, 10, 20}), w = Tensor::of<double>({1, 1, 2}, {1, 100});
  EXPECT_EQ(numbers(conv1d(x, segments, w, {}, Window::causal(2))),
            (Numbers{100, 201, 302, 1000, 2010}));
  EXPECT_EQ(numbers(conv1d(x, segments, w, {}, {.size = 2})), (Numbers{201, 302, 2010}));
  EXPECT_EQ(windowed(segments, {.size = 2}), Segments::of_lengths({2, 1}));
}

TEST(Convolution, SlidesOverImages) {
  const Var x = column({1, 2, 3, 4, 5, 6});  // 2 x 3
  const Var w = Tensor::of<double>({1, 1, 2, 2}, {1, 10, 100, 1000});
  EXPECT_EQ(numbers(conv2d(x, {1, 2, 3}, w, {}, {{.size = 2}, {.size = 2}})),
            (Numbers{5421, 6532}));
}

TEST(Convolution, OfOneFilterAChannelIsThatOfGroups) {
  const Segments segments = Segments::of_lengths({4, 3});
  const Var x = normal_sample({7, 4}, 1), w = normal_sample({4, 1, 3}, 2);
  const Numbers together = numbers(conv1d(x, segments, w, {}, Window::same(3), 4));
  for (Dim c = 0; c < 4; ++c) {
    Tensor own = Tensor::empty({7, 1}, DType::f64);
    for (Dim r = 0; r < 7; ++r) {
      own.mutable_data<double>()[r] = x.value().data<double>()[r * 4 + c];
    }
    const Var alone = conv1d(own, segments, w.value().slice(c, c + 1), {}, Window::same(3));
    for (Dim r = 0; r < 7; ++r) EXPECT_NEAR(numbers(alone)[r], together[r * 4 + c], 1e-12);
  }
}

TEST(Convolution, IsALinearMapOfTheRowsUnderIt) {
  const Segments segments = Segments::of_lengths({3, 2});
  const Window causal = Window::causal(2);
  const Var x = normal_sample({5, 2}, 1);
  const Var w = Tensor::of<double>({1, 2, 2}, {1, 10, 100, 1000});     // channel by channel
  const Var by_taps = Tensor::of<double>({1, 4}, {1, 100, 10, 1000});  // tap by tap
  const Var laid = rows_under(x, Windows(segments, causal));           // (5, 4)
  EXPECT_EQ(numbers(linear(laid, by_taps)), numbers(conv1d(x, segments, w, {}, causal)));
  expect_error([&] { rows_under(x, Windows(Segments::of_lengths({4}), causal)); }, {"4 rows"});
  expect_error([] { Windows(2, Tensor::of<std::int32_t>({1, 2}, {-1, 2})); }, {"no row 2 of 2"});
}

TEST(Convolution, GivesASequenceWhateverElseIsInItsBatch) {
  const Segments segments = Segments::of_lengths({30, 1, 41});
  const Tensor x = normal_sample({72, 24}, 1).to(DType::f32);
  const Var w = normal_sample({40, 24, 5}, 2).to(DType::f32);
  const Tensor together = conv1d(x, segments, w, {}, Window::same(5)).value();
  for (Dim s = 0; s < segments.count(); ++s) {
    const Dim begin = segments.begin(s), end = segments.end(s);
    const Var alone =
        conv1d(x.slice(begin, end), Segments::uniform(1, end - begin), w, {}, Window::same(5));
    EXPECT_TRUE(identical(alone.value(), together.slice(begin, end)));
  }
}

// Large enough to be cut up among threads.
TEST(Convolution, HasTheSameBitsOnAnyNumberOfThreads) {
  const ImageShape images = {3, 20, 21};
  const Window2d window = {Window::same(3), Window::same(3)};
  const auto run = [&](int threads) {
    set_thread_count(threads);
    const Var x = Var::parameter(normal_sample({images.rows(), 32}, 1).to(DType::f32));
    const Var w = Var::parameter(normal_sample({32, 32, 3, 3}, 2).to(DType::f32));
    const Var one_each = Var::parameter(normal_sample({32, 1, 3, 3}, 3).to(DType::f32));
    Var y = conv2d(x, images, w, {}, window);
    y = max_pool2d(conv2d(y, images, one_each, {}, window, 32), images, window);
    const Gradients g = backward(y, {.seed = Tensor::full(y.shape(), 1)});
    return std::vector<Tensor>{y.value(), g[x], g[w], g[one_each]};
  };
  const int before = thread_count();
  const auto one = run(1), two = run(2), four = run(4);
  set_thread_count(before);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_TRUE(identical(one[i], two[i]) && identical(one[i], four[i])) << "tensor " << i;
  }
}

TEST(Pooling, LooksAtWhatIsThere) {
  const Segments segments = Segments::of_lengths({3, 0, 1});
  const Var x = column({-3, -1, -2, -7});
  EXPECT_EQ(numbers(max_pool1d(x, segments, Window::same(3))), (Numbers{-1, -1, -1, -7}));
  EXPECT_EQ(numbers(average_pool1d(x, segments, Window::same(3))), (Numbers{-2, -2, -1.5, -7}));
  EXPECT_EQ(numbers(max_pool2d(x, {1, 2, 2}, {{.size = 2}, {.size = 2}})), (Numbers{-1}));
}

TEST(Convolution, SaysWhatDoesNotFit) {
  const Segments segments = Segments::of_lengths({2, 3});
  const Var x = Tensor::zeros({5, 4}), w = Tensor::zeros({6, 4, 3});
  expect_error([&] { conv1d(x, segments, w, {}, Window::same(2)); }, {"conv1d", "2)", "(6, 4, 3)"});
  expect_error([&] { conv1d(x, segments, w, {}, Window::same(3), 4); }, {"4 groups", "6"});
  expect_error([&] { conv1d(x, segments, w, {}, Window::same(3), 2); },
               {"2 channels", "(6, 4, 3)"});
  expect_error([&] { conv1d(x, segments, w, Tensor::zeros({5}), Window::same(3)); },
               {"bias", "(6)"});
  expect_error([&] { conv1d(x, Segments::uniform(2, 2), w, {}, Window::same(3)); }, {"4 rows"});
  expect_error([&] { conv1d(x, segments, w, {}, {.size = 3, .stride = 0}); }, {"stride 0"});
  expect_error([&] { conv2d(x, {1, 1, 5}, w, {}, {}); }, {"conv2d", "(6, 4, 3)"});
  expect_error([&] { max_pool1d(x, Segments::uniform(2, 2), Window::same(3)); }, {"4 rows"});
}

}  // namespace
}  // namespace fovea
