/// A tensor: a handle on memory that holds numbers of one type, row after row. No gradients here.
///
/// Copying a Tensor copies the handle. Memory comes from the shared arena and goes back to it with
/// the last handle.
#pragma once

#include <atomic>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>

#include "fovea/base/view.h"
#include "fovea/tensor/dtype.h"
#include "fovea/tensor/shape.h"

namespace fovea {

class Tensor {
 public:
  Tensor() = default;  // undefined: no memory, no shape
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(Tensor other) noexcept;
  ~Tensor();

  /// Contents undefined: for those who fill it at once.
  static Tensor empty(Shape shape, DType dtype = DType::f32);
  static Tensor zeros(Shape shape, DType dtype = DType::f32);
  static Tensor full(Shape shape, double value, DType dtype = DType::f32);
  /// Tensor::of<float>({2, 2}, {1, 2, 3, 4})
  template <class T>
  static Tensor of(Shape shape, std::initializer_list<T> values) {
    return from<T>(shape, std::span(values.begin(), values.size()));
  }
  template <class T>
  static Tensor from(Shape shape, std::span<const T> values);
  /// Memory of somebody else's (a mapped file), kept by `owner`. It must not be written to.
  /// `let_go`, if given, is what let_go() calls.
  using LetGo = void (*)(const void* data, std::size_t bytes);
  static Tensor wrap(const void* data, Shape shape, DType dtype, std::shared_ptr<const void> owner,
                     LetGo let_go = nullptr);

  /// No numbers: for a weight that is kept in another form. Reading it is an Error.
  static Tensor only_shape(Shape shape, DType dtype = DType::f32);

  bool defined() const { return storage_ != nullptr; }
  const Shape& shape() const { return shape_; }
  DType dtype() const { return dtype_; }
  Dim size() const { return size_; }
  Dim rows() const { return shape_.rows(); }
  Dim cols() const { return shape_.cols(); }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * size_of(dtype_); }

  template <class T>
  const T* data() const {
    check_type(dtype_of<T>);
    return static_cast<const T*>(data_);
  }
  template <class T>
  T* mutable_data() {
    check_type(dtype_of<T>);
    return static_cast<T*>(data_);
  }
  const void* raw() const {
    check_numbers();
    return data_;
  }
  void* mutable_raw() {
    check_numbers();
    return data_;
  }
  template <class T>
  std::span<const T> span() const {
    return {data<T>(), static_cast<std::size_t>(size_)};
  }
  /// As a matrix of rows() x cols().
  template <class T>
  Rows<const T> view() const {
    return rows_of(data<T>(), rows(), cols());
  }
  template <class T>
  Rows<T> mutable_view() {
    return rows_of(mutable_data<T>(), rows(), cols());
  }
  /// The only element.
  double item() const;

  /// The same memory, seen with another shape of the same size.
  Tensor reshape(Shape shape) const;
  /// The same memory: [begin, end) of the first extent.
  Tensor slice(Dim begin, Dim end) const;
  /// Memory of its own.
  Tensor clone() const;
  /// Between f32, f64 and the integers; f16 and bf16 are converted by kernels/convert.h.
  Tensor to(DType dtype) const;

  /// Nobody will read it soon: pages of a mapped file leave the process, to come back when they are
  /// touched. Memory of our own stays.
  void let_go() const;

  /// No other handle on this memory: it may be written over.
  bool unique() const;
  bool same_memory(const Tensor& other) const { return data_ == other.data_; }

 private:
  struct Storage;
  Tensor(Storage* storage, void* data, Shape shape, DType dtype)
      : storage_(storage), data_(data), shape_(shape), size_(shape.size()), dtype_(dtype) {}
  void check_type(DType asked) const {
    FOVEA_CHECK(dtype_ == asked, "tensor: holds ", name_of(dtype_), ", read as ", name_of(asked));
    check_numbers();
  }
  void check_numbers() const {
    FOVEA_CHECK(data_ || size_ == 0, "tensor: ", shape_,
                " is only a shape; its numbers were packed for a model that is only run");
  }

  Storage* storage_ = nullptr;
  void* data_ = nullptr;
  Shape shape_;
  Dim size_ = 0;
  DType dtype_ = DType::f32;
};

/// sum += x, for f32 and f64 of equal shape.
void add_to(Tensor& sum, const Tensor& x);
/// Bit for bit, shape and type included.
bool identical(const Tensor& a, const Tensor& b);

template <class T>
Tensor Tensor::from(Shape shape, std::span<const T> values) {
  FOVEA_CHECK(shape.size() == static_cast<Dim>(values.size()), "tensor: shape ", shape, " holds ",
              shape.size(), " elements, found ", values.size());
  Tensor t = empty(shape, dtype_of<T>);
  std::copy(values.begin(), values.end(), t.mutable_data<T>());
  return t;
}

}  // namespace fovea
