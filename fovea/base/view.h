/// The shape that every kernel sees: rows of numbers.
#pragma once

#include <cstdint>

namespace fovea {

/// Sizes, counts and indices. Signed, so that differences and loops downward are ordinary.
using Dim = std::int64_t;

/// A matrix that somebody else owns: row r begins at data + r * stride.
/// A head of an attention layer is a range of columns: the same rows, fewer columns.
template <class T>
struct Rows {
  T* data = nullptr;
  Dim rows = 0;
  Dim cols = 0;
  Dim stride = 0;  // elements from one row to the next

  T* operator[](Dim row) const { return data + row * stride; }
  Dim size() const { return rows * cols; }

  Rows columns(Dim begin, Dim end) const { return {data + begin, rows, end - begin, stride}; }
  Rows range(Dim begin, Dim end) const {
    return {data + begin * stride, end - begin, cols, stride};
  }

  operator Rows<const T>() const { return {data, rows, cols, stride}; }  // NOLINT: implicit
};

template <class T>
Rows<T> rows_of(T* data, Dim rows, Dim cols) {
  return {data, rows, cols, cols};
}

}  // namespace fovea
