#include "fovea/data/neighbours.h"

#include <algorithm>

namespace fovea {
namespace {

using Source = std::span<const std::int32_t>;

bool before(Source a, Source b, bool backwards) {
  return backwards ? std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend())
                   : std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

std::size_t shared(Source a, Source b, bool backwards) {
  const std::ptrdiff_t same =
      backwards ? std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin()
                : std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  return static_cast<std::size_t>(same);
}

/// Null is longer than all.
const Neighbours::Pair* shorter(const Neighbours::Pair* a, const Neighbours::Pair* b) {
  if (!a || !b) return a ? a : b;
  if (a->source.size() != b->source.size()) return a->source.size() < b->source.size() ? a : b;
  return a->source < b->source ? a : b;
}

}  // namespace

Neighbours::Neighbours(std::vector<Pair> pairs) : pairs_(std::move(pairs)) {
  const auto less = [](const Pair& a, const Pair& b) { return a.source < b.source; };
  std::ranges::stable_sort(pairs_, less);
  const auto doubles = std::ranges::unique(pairs_, {}, &Pair::source);
  pairs_.erase(doubles.begin(), doubles.end());
  for (const Pair& pair : pairs_) by_beginning_.push_back(&pair);
  by_end_ = by_beginning_;
  std::ranges::sort(by_end_, [](const Pair* a, const Pair* b) {
    return before(a->source, b->source, /*backwards=*/true);
  });
  put_shorter_before(by_beginning_);
  put_shorter_before(by_end_);
}

void Neighbours::put_shorter_before(Order& order) {
  const std::size_t pairs = order.size();
  order.insert(order.begin(), pairs, nullptr);
  for (std::size_t i = pairs; i-- > 1;) order[i] = shorter(order[2 * i], order[2 * i + 1]);
}

std::optional<Neighbours::Neighbour> Neighbours::nearest(const Order& order, Source source,
                                                         bool backwards) {
  const auto first = order.begin() + std::ssize(order) / 2;
  const auto place = std::lower_bound(first, order.end(), source, [&](const Pair* pair, Source s) {
    return before(pair->source, s, backwards);
  });
  auto after = place;
  if (after != order.end() && std::ranges::equal((*after)->source, source)) ++after;
  const auto of = [&](const Pair* pair) { return shared(source, pair->source, backwards); };
  const std::size_t most = std::max(place != first ? of(*(place - 1)) : 0,
                                    after != order.end() ? of(*after) : std::size_t{0});
  if (most == 0) return {};
  const auto begin = std::partition_point(first, place, [&](auto* p) { return of(p) < most; });
  const auto end = std::partition_point(after, order.end(), [&](auto* p) { return of(p) == most; });
  const Pair* best = nullptr;
  for (auto [left, right] : {std::pair{begin, place}, std::pair{after, end}}) {
    auto l = static_cast<std::size_t>(left - order.begin());
    auto r = static_cast<std::size_t>(right - order.begin());
    for (; l < r; l /= 2, r /= 2) {
      if (l % 2 == 1) best = shorter(best, order[l++]);
      if (r % 2 == 1) best = shorter(best, order[--r]);
    }
  }
  return Neighbour{best, most};
}

std::optional<Neighbours::Neighbour> Neighbours::by_beginning(Source source) const {
  return nearest(by_beginning_, source, /*backwards=*/false);
}

std::optional<Neighbours::Neighbour> Neighbours::by_end(Source source) const {
  return nearest(by_end_, source, /*backwards=*/true);
}

}  // namespace fovea
