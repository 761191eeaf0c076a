#include "fovea/attention/cache.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fovea {
namespace {

/// The first column of the rows that a sequence has.
std::vector<float> held(const CachedKeys& keys, Dim sequence) {
  std::vector<float> values;
  for (Dim r = 0; r < keys.sequences.length(sequence); ++r) {
    values.push_back(keys.kv.view<float>()[keys.rows.data<Dim>()[sequence] + r][0]);
  }
  return values;
}

using Values = std::vector<float>;

TEST(Cache, GrowsByTheRowsOfEachSequence) {
  Cache cache(2);
  EXPECT_EQ(cache.length(0), 0);
  const Tensor first = Tensor::of<float>({3, 3}, {9, 1, 0, 9, 2, 0, 9, 3, 0});
  const CachedKeys keys = cache.extend("a", first, 1, 3, Segments::of_lengths({2, 1}));
  EXPECT_EQ(keys.kv.cols(), 2);
  EXPECT_EQ(held(keys, 0), (Values{1, 2}));
  EXPECT_EQ(held(keys, 1), (Values{3}));
  CachedKeys later;
  for (int step = 0; step < 40; ++step) {  // past the first capacity
    const Tensor row = Tensor::full({1, 3}, 10 + step);
    later = cache.extend("a", row, 1, 3, Segments::of_lengths({0, 1}));
  }
  EXPECT_EQ(held(later, 0), (Values{1, 2}));
  EXPECT_EQ(held(later, 1).size(), 41U);
  EXPECT_EQ(held(later, 1)[0], 3);
  EXPECT_EQ(held(later, 1)[40], 49);
  EXPECT_EQ(cache.length(1), 41);
}

TEST(Cache, LengthIsWhatEveryLayerHasSeen) {
  Cache cache(1);
  cache.extend("a", Tensor::zeros({2, 2}), 0, 2, Segments::of_lengths({2}));
  cache.extend("b", Tensor::zeros({1, 2}), 0, 2, Segments::of_lengths({1}));
  EXPECT_EQ(cache.length(0), 1);
  EXPECT_EQ(cache.length("a", 0), 2);
  EXPECT_EQ(cache.length("c", 0), 0);
}

TEST(Cache, ComputesAMemoryOnceAndSharesIt) {
  Cache cache(2);
  int made = 0;
  const auto make = [&] {
    ++made;
    return Tensor::of<float>({3, 1}, {1, 2, 3});
  };
  const Segments segments = Segments::of_lengths({2, 1});
  cache.memory("cross", segments, make);
  const Dim from[] = {1, 0, 0};
  cache.select(from);
  const CachedKeys keys = cache.memory("cross", segments, make);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(held(keys, 0), (Values{3}));
  EXPECT_EQ(held(keys, 1), (Values{1, 2}));
  EXPECT_EQ(held(keys, 2), (Values{1, 2}));
  EXPECT_EQ(keys.kv.rows(), 3);
}

TEST(Cache, SequencesCanBeReorderedSplitAndDropped) {
  Cache cache(3);
  const Tensor rows = Tensor::of<float>({4, 1}, {1, 2, 3, 4});
  cache.extend("a", rows, 0, 1, Segments::of_lengths({1, 2, 1}));
  const Dim from[] = {2, 1, 1};
  cache.select(from);
  const CachedKeys keys =
      cache.extend("a", Tensor::of<float>({1, 1}, {7}), 0, 1, Segments::of_lengths({0, 1, 0}));
  EXPECT_EQ(held(keys, 0), (Values{4}));
  EXPECT_EQ(held(keys, 1), (Values{2, 3, 7}));
  EXPECT_EQ(held(keys, 2), (Values{2, 3}));
  const Dim one[] = {1};
  cache.select(one);
  EXPECT_EQ(cache.sequences(), 1);
  EXPECT_EQ(cache.length(0), 3);
}

/// Against lists that are simply copied, through beams that widen, narrow and change places.
TEST(Cache, AnyOrderOfSelectionsKeepsEachHistory) {
  Cache cache(3);
  std::vector<Values> expected(3);
  std::uint32_t state = 1;
  const auto draw = [&](std::size_t below) {
    return (state = state * 48271U % 2147483647U) % below;
  };
  for (int step = 0; step < 60; ++step) {
    const Dim count = cache.sequences();
    Tensor rows = Tensor::empty({count, 1});
    for (Dim s = 0; s < count; ++s) {
      const auto value = static_cast<float>(100 * step + s);
      rows.mutable_data<float>()[s] = value;
      expected[static_cast<std::size_t>(s)].push_back(value);
    }
    const CachedKeys keys = cache.extend("a", rows, 0, 1, Segments::uniform(count, 1));
    for (Dim s = 0; s < count; ++s) {
      ASSERT_EQ(held(keys, s), expected[static_cast<std::size_t>(s)]) << "step " << step;
    }
    std::vector<Dim> from(1 + draw(8));
    std::vector<Values> next;
    for (Dim& s : from) {
      s = static_cast<Dim>(draw(static_cast<std::size_t>(count)));
      next.push_back(expected[static_cast<std::size_t>(s)]);
    }
    cache.select(from);
    expected = std::move(next);
  }
}

TEST(Cache, SequencesOfAnotherStandAfterItsOwn) {
  const auto seen = [](Dim sequences, float first, Dim width) {
    Cache cache(sequences);
    Tensor rows = Tensor::empty({sequences, 1});
    for (Dim s = 0; s < sequences; ++s) {
      rows.mutable_data<float>()[s] = first + static_cast<float>(s);
    }
    cache.extend("a", rows, 0, 1, Segments::uniform(sequences, 1));
    cache.memory("m", Segments::uniform(sequences, 1), [&] { return rows; });
    Tensor state = Tensor::zeros({sequences, width});
    std::fill_n(state.mutable_data<float>(), state.size(), first);
    cache.set_state("s", state);
    return cache;
  };
  Cache cache = seen(3, 10, 2);
  const Dim from[] = {2, 2};  // a slot is free, two sequences share a memory
  cache.select(from);
  cache.join(seen(4, 20, 3));
  ASSERT_EQ(cache.sequences(), 6);
  Tensor more = Tensor::of<float>({6, 1}, {1, 2, 3, 4, 5, 6});
  const CachedKeys keys = cache.extend("a", more, 0, 1, Segments::uniform(6, 1));
  const CachedKeys memory = cache.memory("m", Segments(), [] { return Tensor(); });
  EXPECT_EQ(memory.kv.rows(), 5) << "what nobody looks at is gone";
  const float first[] = {12, 12, 20, 21, 22, 23};
  for (Dim s = 0; s < 6; ++s) {
    EXPECT_EQ(held(keys, s), (Values{first[s], static_cast<float>(s + 1)}));
    EXPECT_EQ(held(memory, s), (Values{first[s]}));
    const float* state = cache.state("s").view<float>()[s];
    EXPECT_EQ(Values(state, state + 3), s < 2 ? (Values{10, 10, 0}) : (Values{20, 20, 20}));
  }
  Cache empty(0);
  empty.join(cache);
  EXPECT_EQ(empty.sequences(), 6);
  EXPECT_THROW(cache.join(Cache(1)), Error) << "it has not seen anything";
}

TEST(Cache, SaysWhatIsWrong) {
  Cache cache(2);
  EXPECT_THROW(cache.extend("a", Tensor::zeros({1, 2}), 0, 2, Segments::of_lengths({1})), Error);
  EXPECT_THROW(cache.length(2), Error);
  const Dim from[] = {2};
  EXPECT_THROW(cache.select(from), Error);
}

}  // namespace
}  // namespace fovea
