#include "fovea/data/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "fovea/base/rng.h"

namespace fovea {
namespace {

Ids ids(std::string_view word) { return {word.begin(), word.end()}; }

std::string text(const Ids& ids) { return {ids.begin(), ids.end()}; }

Neighbours of_words(std::initializer_list<std::string_view> words) {
  std::vector<Neighbours::Pair> pairs;
  for (const std::string_view word : words) pairs.push_back({ids(word), {}});
  return Neighbours(std::move(pairs));
}

std::string found(const std::optional<Neighbours::Neighbour>& one) {
  return one ? text(one->pair->source) + " " + std::to_string(one->shared) : "";
}

TEST(Neighbours, ShareTheLongestBeginningOrEnd) {
  const Neighbours words = of_words({"lock", "anti", "antic", "antique", "block", "deck", "zoo"});
  EXPECT_EQ(found(words.by_beginning(ids("antilock"))), "anti 4");  // the shortest of three
  EXPECT_EQ(found(words.by_end(ids("antilock"))), "lock 4");
  EXPECT_EQ(found(words.by_beginning(ids("antiquary"))), "antique 6");
  EXPECT_EQ(found(words.by_end(ids("duck"))), "deck 2");  // of equals the first
  EXPECT_EQ(found(words.by_beginning(ids("zebra"))), "zoo 1");
  EXPECT_EQ(found(words.by_beginning(ids("mouse"))), "");
  EXPECT_EQ(found(words.by_end(ids("mousy"))), "");
}

TEST(Neighbours, NeverAreTheSourceItself) {
  const Neighbours words = of_words({"lock", "locks", "block"});
  EXPECT_EQ(found(words.by_beginning(ids("lock"))), "locks 4");
  EXPECT_EQ(found(words.by_end(ids("lock"))), "block 4");
  EXPECT_EQ(found(of_words({"lock"}).by_beginning(ids("lock"))), "");
  EXPECT_EQ(found(of_words({}).by_end(ids("lock"))), "");
  EXPECT_EQ(found(words.by_beginning({})), "");
}

TEST(Neighbours, KeepTheFirstOfEqualSources) {
  const Neighbours pairs({{{1, 2}, {7}}, {{1, 2}, {8}}, {{1}, {9}}});
  EXPECT_EQ(pairs.by_beginning(Ids{1, 2, 3})->pair->target, Ids{7});
}

TEST(Neighbours, AreThoseThatALookAtAllFinds) {
  const Draws draws = {.seed = 3};
  std::vector<Neighbours::Pair> pairs;
  for (std::uint64_t i = 0; i < 300; ++i) {
    Ids source;
    const std::uint32_t length = 1 + draws.below(8 * i, 6);
    for (std::uint32_t j = 0; j < length; ++j) {
      source.push_back(static_cast<std::int32_t>(draws.below(8 * i + 1 + j, 3)));
    }
    pairs.push_back({source, {}});
  }
  const Neighbours neighbours(pairs);
  const auto slow = [&](const Ids& source, bool backwards) {
    std::optional<std::tuple<std::size_t, std::size_t, Ids>> best;  // not shared, length, source
    for (const auto& pair : pairs) {
      if (pair.source == source) continue;
      Ids a = source, b = pair.source;
      if (backwards) std::ranges::reverse(a), std::ranges::reverse(b);
      std::size_t shared = 0;
      while (shared < std::min(a.size(), b.size()) && a[shared] == b[shared]) ++shared;
      const std::tuple one{source.size() - shared, pair.source.size(), pair.source};
      if (shared > 0 && (!best || one < *best)) best = one;
    }
    return best ? std::get<2>(*best) : Ids{};
  };
  for (const auto& pair : pairs) {
    const auto first = neighbours.by_beginning(pair.source), last = neighbours.by_end(pair.source);
    EXPECT_EQ(first ? first->pair->source : Ids{}, slow(pair.source, false));
    EXPECT_EQ(last ? last->pair->source : Ids{}, slow(pair.source, true));
  }
}

}  // namespace
}  // namespace fovea
