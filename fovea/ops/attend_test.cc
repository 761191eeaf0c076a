#include "fovea/ops/attend.h"

#include <gtest/gtest.h>

#include "fovea/ops/op_samples.h"

namespace fovea {
namespace {

TEST(Attend, TakesQueriesKeysAndValuesPackedOrApart) {
  const Segments segments = Segments::of_lengths({3, 4});
  const Tensor qkv = normal_sample({7, 12}, 1).to(DType::f32);
  const auto columns = [&](Dim begin, Dim end) {
    Tensor part = Tensor::empty({7, end - begin});
    for (Dim r = 0; r < 7; ++r) {
      for (Dim c = begin; c < end; ++c)
        part.mutable_view<float>()[r][c - begin] = qkv.view<float>()[r][c];
    }
    return part;
  };
  const AttendConfig config = {.heads = 2, .causal = true};
  const Var packed = attend_packed(qkv, segments, config);
  const Var apart =
      attend(columns(0, 4), columns(4, 8), columns(8, 12), segments, segments, config);
  const Var memory = attend_memory(columns(0, 4), columns(4, 12), segments, segments, config);
  EXPECT_TRUE(identical(packed.value(), apart.value()));
  EXPECT_TRUE(identical(packed.value(), memory.value()));

  // The same keys in slots with room between them, the second sequence's first.
  Tensor slots = Tensor::full({20, 8}, 1e30);
  const Tensor kv = columns(4, 12);
  for (Dim r = 0; r < 7; ++r) {
    std::copy_n(kv.view<float>()[r], 8, slots.mutable_view<float>()[r < 3 ? 10 + r : r - 3]);
  }
  const Tensor cached =
      attend_cached(qkv, slots, segments, segments, Tensor::of<Dim>({2}, {10, 0}), config);
  EXPECT_TRUE(identical(packed.value(), cached));
}

TEST(Attend, SaysWhatIsWrong) {
  const Segments two = Segments::of_lengths({1, 1});
  const Var rows(Tensor::zeros({2, 6}));
  EXPECT_THROW(attend_packed(rows, two, {.heads = 4}), Error);
  EXPECT_THROW(attend_packed(rows, Segments::of_lengths({3}), {.heads = 2}), Error);
  EXPECT_THROW(attend_packed(rows, two, {.heads = 2, .drop = 1}), Error);
  EXPECT_THROW(attend_packed(rows, two, {.heads = 2}, {Tensor::zeros({2, 4})}), Error);
  const Var three = Tensor::zeros({3, 1}), four = Tensor::zeros({4, 1});
  EXPECT_THROW(attend_packed(rows, two, {.heads = 2}, {.key_relation = three}), Error);
  EXPECT_THROW(attend_packed(rows, two, {.heads = 2}, {{}, four, four}), Error);
  EXPECT_THROW(attend_packed(rows, two, {.heads = 1}, {{}, three, three}), Error);
  EXPECT_NO_THROW(attend_packed(rows, two, {.heads = 2}, {{}, three, three}));
  EXPECT_THROW(attend_packed(Tensor::zeros({2, 6}, DType::i32), two, {.heads = 2}), Error);
  EXPECT_THROW(attend(rows, rows, Tensor::zeros({2, 6}, DType::f64), two, two, {.heads = 2}),
               Error);
  EXPECT_THROW(attend(rows, rows, rows, two, Segments::of_lengths({2}), {.heads = 2}), Error);
  EXPECT_THROW(attend(rows, rows, rows, two, two, {.heads = 3, .kv_heads = 2}), Error);
  EXPECT_THROW(attend_memory(rows, rows, two, two, {.heads = 2}), Error);
  EXPECT_THROW(attend_cached(Tensor::zeros({2, 4}), Tensor::zeros({4, 8}), two, two,
                             Tensor::of<Dim>({2}, {0, 4}), {.heads = 2}),
               Error)
      << "the second slot is past the end";
}

}  // namespace
}  // namespace fovea
