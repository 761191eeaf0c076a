/// Memory that a kernel needs while it runs.
#pragma once

#include "fovea/base/arena.h"
#include "fovea/base/view.h"

namespace fovea::kernels {

/// `count` numbers of the shared arena, given back at the end of the scope. Contents are undefined.
template <class T>
class Scratch {
 public:
  explicit Scratch(Dim count)
      : data_(static_cast<T*>(
            Arena::shared().allocate(static_cast<std::size_t>(count) * sizeof(T)))) {}
  ~Scratch() { Arena::shared().release(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T* data() const { return data_; }
  T& operator[](Dim i) const { return data_[i]; }

 private:
  T* data_;
};

}  // namespace fovea::kernels
