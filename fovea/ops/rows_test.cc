// Rows, columns, sequences and batch statistics: what is not true of every op.
#include "fovea/ops/rows.h"

#include <cmath>

#include "fovea/ops/batch_norm.h"
#include "fovea/ops/expect_error.h"
#include "fovea/ops/rows_samples.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

const Segments kTwo = Segments::of_lengths({1, 2});

TEST(RowOps, MoveRowsAndColumns) {
  const Var x = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(
      identical(gather_rows(x, some_ids({2, 0})).value(), Tensor::of<float>({2, 2}, {5, 6, 1, 2})));
  EXPECT_TRUE(identical(scatter_rows(x, some_ids({1, 0, 1}), 2).value(),
                        Tensor::of<float>({2, 2}, {3, 4, 6, 8})));
  EXPECT_TRUE(identical(transpose(x).value(), Tensor::of<float>({2, 3}, {1, 3, 5, 2, 4, 6})));
  EXPECT_TRUE(identical(columns(x, 1, 2).value(), Tensor::of<float>({3, 1}, {2, 4, 6})));
  EXPECT_TRUE(
      identical(reverse_rows(x, kTwo).value(), Tensor::of<float>({3, 2}, {1, 2, 5, 6, 3, 4})));
  EXPECT_TRUE(identical(repeat_rows(slice_rows(x, 0, 2), kTwo).value(),
                        Tensor::of<float>({3, 2}, {1, 2, 3, 4, 3, 4})));
}

TEST(RowOps, NameWhatDoesNotFit) {
  const Var x = Tensor::zeros({3, 2}), wide = Tensor::zeros({3, 4});
  expect_error([&] { gather_rows(x, some_ids({0, 3})); }, {"gather_rows", "id 3", "position 1"});
  expect_error([&] { scatter_rows(x, some_ids({0, 1, 2}), 2); }, {"scatter_rows", "id 2"});
  expect_error([&] { scatter_rows(x, some_ids({0, 1}), 2); }, {"scatter_rows", "(3, 2)", "2"});
  expect_error([&] { slice_rows(x, 2, 4); }, {"slice_rows", "[2, 4)", "(3, 2)"});
  expect_error([&] { columns(x, 1, 0); }, {"columns", "[1, 0)", "(3, 2)"});
  expect_error([&] { split_columns(wide, 1, 2); }, {"split_columns", "(3, 4)", "1, 2 and 0"});
  expect_error([&] { concat_rows({x, wide}); }, {"concat_rows", "2 columns", "(3, 4)"});
  expect_error([&] { concat_columns({x, transpose(x)}); }, {"concat_columns", "(3, 2)", "(2, 3)"});
  expect_error([&] { concat_columns({}); }, {"concat_columns", "at least one"});
  expect_error([&] { reshape(x, {4, 2}); }, {"reshape", "(3, 2)", "(4, 2)"});
  expect_error([&] { transpose(Tensor::zeros({3})); }, {"transpose", "(3)"});
  expect_error([&] { transpose(Tensor::zeros({3, 2}, DType::i32)); }, {"transpose", "i32"});
}

TEST(SegmentOps, PoolRowsOfASequence) {
  const Var x = Tensor::of<float>({3, 2}, {1, 2, 3, 8, 5, 6});
  const auto pooled = [&](Pooling pooling) { return segment_pool(x, kTwo, pooling).value(); };
  EXPECT_TRUE(identical(pooled(Pooling::sum), Tensor::of<float>({2, 2}, {1, 2, 8, 14})));
  EXPECT_TRUE(identical(pooled(Pooling::mean), Tensor::of<float>({2, 2}, {1, 2, 4, 7})));
  EXPECT_TRUE(identical(pooled(Pooling::max), Tensor::of<float>({2, 2}, {1, 2, 5, 8})));
}

TEST(SegmentOps, GiveASequenceWhateverElseIsInItsBatch) {
  const Var x = normal_sample({9, 5}, 1).to(DType::f32);
  const Segments all = Segments::of_lengths({4, 5}), first = Segments::of_lengths({4});
  for (auto f : {segment_softmax, segment_log_softmax}) {
    EXPECT_TRUE(
        identical(slice_rows(f(x, all), 0, 4).value(), f(slice_rows(x, 0, 4), first).value()));
  }
  EXPECT_TRUE(identical(slice_rows(segment_pool(x, all, Pooling::mean), 0, 1).value(),
                        segment_pool(slice_rows(x, 0, 4), first, Pooling::mean).value()));
}

TEST(SegmentOps, SoftmaxOfNothingInReachIsZero) {
  const Var x = Tensor::of<float>({3, 1}, {2, -INFINITY, -INFINITY});
  EXPECT_TRUE(identical(segment_softmax(x, kTwo).value(), Tensor::of<float>({3, 1}, {1, 0, 0})));
}

TEST(SegmentOps, NameWhatDoesNotFit) {
  const Var x = Tensor::zeros({4, 2});
  expect_error([&] { segment_pool(x, kTwo, Pooling::sum); }, {"segment_pool", "3 rows", "(4, 2)"});
  expect_error([&] { segment_softmax(x, kTwo); }, {"segment_softmax", "3 rows", "(4, 2)"});
  expect_error([&] { repeat_rows(x, kTwo); }, {"repeat_rows", "2 sequences", "(4, 2)"});
  expect_error([&] { reverse_rows(x, kTwo); }, {"reverse_rows", "3 rows", "(4, 2)"});
}

TEST(BatchNorm, TakesInTheStatisticsOfABatch) {
  const Var x = Tensor::of<float>({2, 1}, {1, 5}), one = Tensor::full({1}, 1);
  const RunningStats running = {Tensor::zeros({1}), Tensor::full({1}, 1)};
  const Tensor y = batch_norm(x, one, one, running, {.training = true, .momentum = 0.5}).value();
  EXPECT_NEAR(y.data<float>()[0], 0, 1e-5F);  // 1 + (1 - 3) / 2
  EXPECT_FLOAT_EQ(running.mean.data<float>()[0], 1.5F);
  EXPECT_FLOAT_EQ(running.variance.data<float>()[0], 4.5F);  // (1 + 8) / 2
}

TEST(BatchNorm, NamesWhatDoesNotFit) {
  const Var x = Tensor::zeros({2, 3}), three = Tensor::zeros({3});
  const RunningStats running = {Tensor::zeros({3}), Tensor::zeros({2})};
  expect_error([&] { batch_norm(x, three, three, running, {}); },
               {"batch_norm", "running variance", "(3)", "(2)"});
  expect_error([&] { batch_norm(x, x, three, running, {}); }, {"batch_norm", "gamma", "(2, 3)"});
}

}  // namespace
}  // namespace fovea
