#include "fovea/data/neighbours.h"

#include <algorithm>

namespace fovea {
namespace {

using Source = std::span<const std::int32_t>;

/// Sources are compared from one of their sides.
bool before_forwards(Source a, Source b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}
bool before_backwards(Source a, Source b) {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

std::size_t shared_beginning(Source a, Source b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}
std::size_t shared_end(Source a, Source b) {
  return static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first -
                                  a.rbegin());
}

/// Those that share the most stand together, around the place where the source would stand.
template <class Before, class Shared>
std::optional<Neighbours::Neighbour> nearest(const std::vector<const Neighbours::Pair*>& order,
                                             Source source, Before before, Shared shared) {
  const auto place = std::lower_bound(
      order.begin(), order.end(), source,
      [&](const Neighbours::Pair* pair, Source other) { return before(pair->source, other); });
  auto begin = place, end = place;
  if (end != order.end() && std::ranges::equal((*end)->source, source)) ++end;
  const auto of = [&](const auto& it) { return shared(source, (*it)->source); };
  const std::size_t most = std::max(begin != order.begin() ? of(begin - 1) : 0,
                                    end != order.end() ? of(end) : std::size_t{0});
  if (most == 0) return {};
  while (begin != order.begin() && of(begin - 1) == most) --begin;
  while (end != order.end() && of(end) == most) ++end;
  const Neighbours::Pair* best = nullptr;
  for (auto it = begin; it != end; ++it) {
    const Ids& one = (*it)->source;
    if (std::ranges::equal(one, source)) continue;
    const bool shorter = !best || one.size() < best->source.size();
    if (shorter || (one.size() == best->source.size() && one < best->source)) best = *it;
  }
  return Neighbours::Neighbour{best, most};
}

}  // namespace

Neighbours::Neighbours(std::vector<Pair> pairs) : pairs_(std::move(pairs)) {
  std::ranges::stable_sort(pairs_, before_forwards, &Pair::source);
  const auto doubles = std::ranges::unique(pairs_, {}, &Pair::source);
  pairs_.erase(doubles.begin(), doubles.end());
  for (const Pair& pair : pairs_) by_beginning_.push_back(&pair);
  by_end_ = by_beginning_;
  std::ranges::sort(
      by_end_, [](const Pair* a, const Pair* b) { return before_backwards(a->source, b->source); });
}

std::optional<Neighbours::Neighbour> Neighbours::by_beginning(Source source) const {
  return nearest(by_beginning_, source, before_forwards, shared_beginning);
}

std::optional<Neighbours::Neighbour> Neighbours::by_end(Source source) const {
  return nearest(by_end_, source, before_backwards, shared_end);
}

}  // namespace fovea
