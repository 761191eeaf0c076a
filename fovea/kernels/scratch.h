/// Memory that a kernel needs while it runs.
#pragma once

#include <optional>

#include "fovea/base/arena.h"
#include "fovea/base/view.h"

namespace fovea::kernels {

/// `count` numbers of the shared arena, given back at the end of the scope. Contents are undefined.
template <class T>
class Scratch {
 public:
  explicit Scratch(Dim count)
      : data_(count == 0 ? nullptr
                         : static_cast<T*>(Arena::shared().allocate(
                               static_cast<std::size_t>(count) * sizeof(T)))) {}
  ~Scratch() {
    if (data_) Arena::shared().release(data_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T* data() const { return data_; }
  T& operator[](Dim i) const { return data_[i]; }

 private:
  T* data_;
};

/// Memory for one use after another: the arena is asked, and its lock taken, only where a use needs
/// more than all before it.
template <class T>
class ScratchInTurn {
 public:
  /// `count` numbers. Those of the use before are gone.
  T* take(Dim count) {
    if (count > count_) {
      block_.reset();
      block_.emplace(count);
      count_ = count;
    }
    return block_->data();
  }

 private:
  std::optional<Scratch<T>> block_;
  Dim count_ = -1;
};

}  // namespace fovea::kernels
