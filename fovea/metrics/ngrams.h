/// Bags of n-grams as sorted lists. What two bags share is then an intersection of sorted lists,
/// and what several references allow is a union: both keep the counts that BLEU and chrF ask for,
/// the smaller of two and the larger of two.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "fovea/base/view.h"

namespace fovea::metrics {

template <class Token>
using Ngrams = std::vector<std::span<const Token>>;

struct NgramLess {
  template <class Token>
  bool operator()(std::span<const Token> a, std::span<const Token> b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }
};

/// All runs of `order` tokens. They point into `tokens`.
template <class Token>
Ngrams<Token> ngrams(std::span<const Token> tokens, std::size_t order) {
  Ngrams<Token> out;
  for (std::size_t i = 0; i + order <= tokens.size(); ++i) out.push_back(tokens.subspan(i, order));
  std::sort(out.begin(), out.end(), NgramLess());
  return out;
}

/// How many n-grams a and b have in common, each as often as it is in both.
template <class Token>
Dim in_common(const Ngrams<Token>& a, const Ngrams<Token>& b) {
  Ngrams<Token> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both),
                        NgramLess());
  return static_cast<Dim>(both.size());
}

/// Each n-gram as often as it is in a or in b, whichever has more.
template <class Token>
Ngrams<Token> most_of(const Ngrams<Token>& a, const Ngrams<Token>& b) {
  Ngrams<Token> either;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either), NgramLess());
  return either;
}

}  // namespace fovea::metrics
