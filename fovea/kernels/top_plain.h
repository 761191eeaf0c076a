/// What a search reads off a row of logits, as the formulas say it: the twin that the vector code
/// is tested against.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fovea/kernels/top.h"

namespace fovea::kernels::plain {

template <class T>
T log_sum_exp(const T* x, Dim count) {
  T largest = -std::numeric_limits<T>::infinity(), sum = 0;
  for (Dim i = 0; i < count; ++i) largest = x[i] <= largest ? largest : x[i];
  for (Dim i = 0; i < count; ++i) sum += std::exp(x[i] - largest);
  return largest + std::log(sum);
}

template <class T>
void top(const T* x, Dim count, Dim n, T* values, std::int32_t* where) {
  constexpr T kNone = -std::numeric_limits<T>::infinity();
  std::vector<std::int32_t> order;
  for (Dim i = 0; i < count; ++i) {
    if (x[i] > kNone) order.push_back(static_cast<std::int32_t>(i));
  }
  std::stable_sort(order.begin(), order.end(),
                   [x](std::int32_t a, std::int32_t b) { return x[a] > x[b]; });
  for (Dim k = 0; k < n; ++k) {
    const bool found = k < static_cast<Dim>(order.size());
    where[k] = found ? order[static_cast<std::size_t>(k)] : -1;
    values[k] = found ? x[where[k]] : kNone;
  }
}

}  // namespace fovea::kernels::plain
