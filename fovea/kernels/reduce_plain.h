/// Sums and largest numbers as the formulas say them: the twin that the vector code is tested
/// against, and the path of double precision.
#pragma once

#include <algorithm>
#include <limits>

#include "fovea/kernels/reduce.h"

namespace fovea::kernels::plain {

template <class T>
void column_sums(Rows<const T> x, T* sums) {
  std::fill_n(sums, x.cols, T(0));
  for (Dim r = 0; r < x.rows; ++r) {
    for (Dim c = 0; c < x.cols; ++c) sums[c] += x[r][c];
  }
}

template <class T>
void row_sums(Rows<const T> x, T* sums) {
  for (Dim r = 0; r < x.rows; ++r) {
    sums[r] = 0;
    for (Dim c = 0; c < x.cols; ++c) sums[r] += x[r][c];
  }
}

template <class T>
void row_max(Rows<const T> x, T* largest, std::int32_t* where) {
  for (Dim r = 0; r < x.rows; ++r) {
    largest[r] = -std::numeric_limits<T>::infinity();
    std::int32_t first = -1;
    for (Dim c = 0; c < x.cols; ++c) {
      if (x[r][c] > largest[r] || (first < 0 && x[r][c] == largest[r])) {
        largest[r] = x[r][c];
        first = static_cast<std::int32_t>(c);
      }
    }
    if (where) where[r] = first;
  }
}

template <class T>
double sum(const T* x, Dim count) {
  double total = 0;
  for (Dim i = 0; i < count; ++i) total += x[i];
  return total;
}

template <class T>
double dot(const T* x, const T* y, Dim count) {
  double total = 0;
  for (Dim i = 0; i < count; ++i) total += static_cast<double>(x[i]) * y[i];
  return total;
}

template <class T>
double sum_of_squares(const T* x, Dim count) {
  return plain::dot(x, x, count);
}

}  // namespace fovea::kernels::plain
