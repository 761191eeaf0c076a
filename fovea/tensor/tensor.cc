#include "fovea/tensor/tensor.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "fovea/base/arena.h"
#include "fovea/base/threads.h"

namespace fovea {

/// Stands before the elements in one block of the arena, or alone when the memory is somebody
/// else's.
struct alignas(Arena::alignment) Tensor::Storage {
  std::atomic<std::uint32_t> handles = 1;
  std::shared_ptr<const void> owner;
  LetGo let_go = nullptr;
};

namespace {

/// f(T()) with the C++ type of a number; f16 and bf16 are not numbers here.
template <class F>
void with_number(DType dtype, F&& f) {
  switch (dtype) {
    case DType::f32:
      return f(float());
    case DType::f64:
      return f(double());
    case DType::i32:
      return f(std::int32_t());
    case DType::i64:
      return f(std::int64_t());
    case DType::u8:
      return f(std::uint8_t());
    default:
      fail("tensor: ", dtype, " is only for storage; convert it to f32 first");
  }
}

}  // namespace

Tensor::Tensor(const Tensor& other)
    : storage_(other.storage_),
      data_(other.data_),
      shape_(other.shape_),
      size_(other.size_),
      dtype_(other.dtype_) {
  if (storage_) storage_->handles.fetch_add(1, std::memory_order_relaxed);
}

Tensor::Tensor(Tensor&& other) noexcept
    : storage_(std::exchange(other.storage_, nullptr)),
      data_(std::exchange(other.data_, nullptr)),
      shape_(std::exchange(other.shape_, Shape())),
      size_(std::exchange(other.size_, 0)),
      dtype_(other.dtype_) {}

Tensor& Tensor::operator=(Tensor other) noexcept {
  std::swap(storage_, other.storage_);
  std::swap(data_, other.data_);
  std::swap(shape_, other.shape_);
  std::swap(size_, other.size_);
  std::swap(dtype_, other.dtype_);
  return *this;
}

Tensor::~Tensor() {
  if (storage_ && storage_->handles.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    storage_->~Storage();
    Arena::shared().release(storage_);
  }
}

Tensor Tensor::empty(Shape shape, DType dtype) {
  std::size_t bytes = 0;
  FOVEA_CHECK(
      !__builtin_mul_overflow(static_cast<std::size_t>(shape.size()), size_of(dtype), &bytes) &&
          bytes < SIZE_MAX / 2,
      ErrorKind::too_large, "tensor: ", shape, " of ", dtype, " is more than any memory holds");
  auto* storage = new (Arena::shared().allocate(sizeof(Storage) + bytes)) Storage;
  return Tensor(storage, storage + 1, shape, dtype);
}

Tensor Tensor::zeros(Shape shape, DType dtype) {
  Tensor t = empty(shape, dtype);
  std::memset(t.data_, 0, t.bytes());
  return t;
}

Tensor Tensor::full(Shape shape, double value, DType dtype) {
  Tensor t = empty(shape, dtype);
  with_number(dtype, [&](auto zero) {
    using T = decltype(zero);
    std::fill_n(t.mutable_data<T>(), t.size(), static_cast<T>(value));
  });
  return t;
}

Tensor Tensor::wrap(const void* data, Shape shape, DType dtype, std::shared_ptr<const void> owner,
                    LetGo let_go) {
  auto* storage = new (Arena::shared().allocate(sizeof(Storage))) Storage;
  storage->owner = std::move(owner);
  storage->let_go = let_go;
  return Tensor(storage, const_cast<void*>(data), shape, dtype);
}

Tensor Tensor::only_shape(Shape shape, DType dtype) {
  return Tensor(new (Arena::shared().allocate(sizeof(Storage))) Storage, nullptr, shape, dtype);
}

void Tensor::let_go() const {
  if (storage_ && storage_->let_go) storage_->let_go(data_, bytes());
}

double Tensor::item() const {
  FOVEA_CHECK(defined() && size_ == 1, "tensor: one element expected, the shape is ", shape_);
  double value = 0;
  with_number(dtype_, [&](auto zero) { value = static_cast<double>(*data<decltype(zero)>()); });
  return value;
}

Tensor Tensor::reshape(Shape shape) const {
  FOVEA_CHECK(defined() && shape.size() == size_, "reshape: ", shape_, " cannot be seen as ",
              shape);
  Tensor t = *this;
  t.shape_ = shape;
  return t;
}

Tensor Tensor::slice(Dim begin, Dim end) const {
  FOVEA_CHECK(shape_.rank() >= 1 && 0 <= begin && begin <= end && end <= shape_[0], "slice: [",
              begin, ", ", end, ") of ", shape_);
  std::array<Dim, Shape::max_rank> extents = {end - begin};
  Dim inner = 1;
  for (int i = 1; i < shape_.rank(); ++i) inner *= extents[i] = shape_[i];
  Tensor t = *this;
  t.shape_ = Shape(std::span(extents.data(), static_cast<std::size_t>(shape_.rank())));
  t.size_ = t.shape_.size();
  t.data_ = static_cast<std::byte*>(t.mutable_raw()) +
            static_cast<std::size_t>(begin * inner) * size_of(dtype_);
  return t;
}

Tensor Tensor::clone() const {
  if (!defined()) return {};
  Tensor t = empty(shape_, dtype_);
  std::memcpy(t.data_, raw(), bytes());
  return t;
}

Tensor Tensor::to(DType dtype) const {
  if (dtype == dtype_ || !defined()) return *this;
  Tensor t = empty(shape_, dtype);
  with_number(dtype_, [&](auto from) {
    with_number(dtype, [&](auto into) {
      using Into = decltype(into);
      const auto* x = data<decltype(from)>();
      std::transform(x, x + size_, t.mutable_data<Into>(),
                     [](auto v) { return static_cast<Into>(v); });
    });
  });
  return t;
}

bool Tensor::unique() const {
  return storage_ && !storage_->owner && storage_->handles.load(std::memory_order_acquire) == 1;
}

void add_to(Tensor& sum, const Tensor& x) {
  FOVEA_CHECK(sum.shape() == x.shape() && sum.dtype() == x.dtype(), "add_to: ", sum.shape(), " ",
              sum.dtype(), " and ", x.shape(), " ", x.dtype(), " differ");
  with_real("add_to", sum.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = sum.mutable_data<T>();
    const T* from = x.data<T>();
    parallel_for(sum.size(), 1 << 15, [&](Dim begin, Dim end) {
      for (Dim i = begin; i < end; ++i) to[i] += from[i];
    });
  });
}

bool identical(const Tensor& a, const Tensor& b) {
  return a.defined() == b.defined() && a.shape() == b.shape() && a.dtype() == b.dtype() &&
         (a.size() == 0 || std::memcmp(a.raw(), b.raw(), a.bytes()) == 0);
}

}  // namespace fovea
