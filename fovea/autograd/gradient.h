/// The gradient of one variable: whole, or only the rows that were used (an embedding of a large
/// vocabulary is touched in a few hundred rows by a batch).
#pragma once

#include "fovea/tensor/tensor.h"

namespace fovea {

class Gradient {
 public:
  Gradient() = default;                                 // none: zero
  Gradient(Tensor dense) : dense_(std::move(dense)) {}  // NOLINT: implicit
  /// Row r of `rows` belongs to row ids[r] of a variable of `shape`; ids may repeat.
  static Gradient by_rows(Shape shape, Tensor ids, Tensor rows);

  bool defined() const { return dense_.defined() || rows_.defined(); }
  bool is_by_rows() const { return rows_.defined(); }

  const Tensor& ids() const { return ids_; }    // (R) i32, rising and without repeats once compact
  const Tensor& rows() const { return rows_; }  // (R, columns)
  /// By rows: sorted by id, rows of the same id added up in the order they came.
  void make_compact();
  /// The whole, with zeros where no row was used.
  Tensor dense() const;

  void add(Gradient other);
  /// All of it times `factor`.
  void scale(double factor);

 private:
  Tensor dense_;
  Shape shape_;
  Tensor ids_, rows_;
};

}  // namespace fovea
