/// The gradient of one variable: whole, or only the rows that were used (an embedding of a large
/// vocabulary is touched in a few hundred rows by a batch), or, while a pass goes on, factors whose
/// product it will be.
#pragma once

#include <utility>

#include "fovea/base/arena.h"
#include "fovea/tensor/tensor.h"

namespace fovea {

class Gradient {
 public:
  Gradient() = default;                                 // none: zero
  Gradient(Tensor dense) : dense_(std::move(dense)) {}  // NOLINT: implicit
  /// Row r of `rows` belongs to row ids[r] of a variable of `shape`; ids may repeat.
  static Gradient by_rows(Shape shape, Tensor ids, Tensor rows);

  /// multiply(left, right), which adds up over rows: factors of many small products are kept, and
  /// all of their rows are multiplied at once when it is settled.
  using Multiply = Tensor (*)(const Tensor& left, const Tensor& right);
  static Gradient by_factors(Tensor left, Tensor right, Multiply multiply);

  bool defined() const { return dense_.defined() || rows_.defined() || !factors_.empty(); }
  bool is_by_rows() const { return rows_.defined(); }

  const Tensor& ids() const { return ids_; }    // (R) i32, rising and without repeats once compact
  const Tensor& rows() const { return rows_; }  // (R, columns)
  /// By rows: sorted by id, rows of the same id added up in the order they came.
  void make_compact();
  /// The whole, with zeros where no row was used.
  Tensor dense() const;

  void add(Gradient other);
  /// Multiplies the factors that were kept: what is left is whole or by rows. Those that backward
  /// gives are settled.
  void settle();
  /// All of it times `factor`.
  void scale(double factor);

 private:
  Tensor dense_;
  Shape shape_;
  Tensor ids_, rows_;
  ArenaVector<std::pair<Tensor, Tensor>> factors_;
  Multiply multiply_ = nullptr;
};

}  // namespace fovea
