#include "fovea/ops/steps.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"

namespace fovea {
namespace {

bool is_identity(const ArenaVector<Dim>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] != static_cast<Dim>(i)) return false;
  }
  return true;
}

std::byte* row_of(Tensor& t, Dim row) {
  return static_cast<std::byte*>(t.mutable_raw()) +
         static_cast<std::size_t>(row * t.cols()) * size_of(t.dtype());
}
const std::byte* row_of(const Tensor& t, Dim row) {
  return static_cast<const std::byte*>(t.raw()) +
         static_cast<std::size_t>(row * t.cols()) * size_of(t.dtype());
}

void copy_rows(const Tensor& from, Dim from_row, Tensor& to, Dim to_row, Dim count) {
  if (from.cols() == 0) return;
  std::memcpy(row_of(to, to_row), row_of(from, from_row),
              static_cast<std::size_t>(count * from.cols()) * size_of(from.dtype()));
}

/// Row i of the result is row places[i] of `from`.
Tensor gather(const Tensor& from, const ArenaVector<Dim>& places) {
  Tensor to = Tensor::empty(from.shape(), from.dtype());
  parallel_for(from.rows(), kernels::row_grain(from.cols()), [&](Dim begin, Dim end) {
    for (Dim i = begin; i < end; ++i) copy_rows(from, places[i], to, i, 1);
  });
  return to;
}

/// Row places[i] of the result is row i of `from`.
Tensor scatter(const Tensor& from, const ArenaVector<Dim>& places) {
  Tensor to = Tensor::empty(from.shape(), from.dtype());
  parallel_for(from.rows(), kernels::row_grain(from.cols()), [&](Dim begin, Dim end) {
    for (Dim i = begin; i < end; ++i) copy_rows(from, i, to, places[i], 1);
  });
  return to;
}

}  // namespace

Steps::Steps(const Segments& segments, Direction direction)
    : row_(static_cast<std::size_t>(segments.rows())),
      sequence_(static_cast<std::size_t>(segments.count())),
      last_(static_cast<std::size_t>(segments.count())) {
  std::iota(sequence_.begin(), sequence_.end(), Dim(0));
  std::sort(sequence_.begin(), sequence_.end(), [&](Dim a, Dim b) {
    return std::pair(-segments.length(a), a) < std::pair(-segments.length(b), b);
  });
  Dim active = segments.count();
  const Dim longest = segments.longest();
  for (Dim t = 0, next = 0; t < longest; ++t) {
    while (segments.length(sequence_[active - 1]) <= t) --active;
    for (Dim k = 0; k < active; ++k) {
      const Dim s = sequence_[k];
      row_[next++] =
          direction == Direction::forward ? segments.begin(s) + t : segments.end(s) - 1 - t;
    }
    begin_.push_back(next);
  }
  for (Dim k = 0; k < segments.count(); ++k) {
    const Dim length = segments.length(sequence_[k]);
    last_[k] = length == 0 ? -1 : begin(length - 1) + k;
  }
  rows_in_order_ = is_identity(row_);
  sequences_in_order_ = is_identity(sequence_);
}

Tensor Steps::to_steps(const Tensor& rows) const {
  return rows_in_order_ ? rows : gather(rows, row_);
}
Tensor Steps::to_batch(const Tensor& rows) const {
  return rows_in_order_ ? rows : scatter(rows, row_);
}
Tensor Steps::to_sorted(const Tensor& states) const {
  return sequences_in_order_ ? states : gather(states, sequence_);
}
Tensor Steps::from_sorted(const Tensor& states) const {
  return sequences_in_order_ ? states : scatter(states, sequence_);
}

Tensor Steps::last(const Tensor& states, const Tensor& initial) const {
  Tensor last = Tensor::empty(initial.shape(), initial.dtype());
  for (Dim k = 0; k < sequences(); ++k) {
    if (last_[k] >= 0) {
      copy_rows(states, last_[k], last, sequence_[k], 1);
    } else {
      copy_rows(initial, k, last, sequence_[k], 1);
    }
  }
  return last;
}

Tensor Steps::last_backward(const Tensor& gradient, Tensor& states) const {
  Tensor initial = Tensor::zeros(gradient.shape(), gradient.dtype());
  with_real("recurrent layer", gradient.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows<const T> from = gradient.view<T>();
    const Rows<T> to = states.mutable_view<T>();
    for (Dim k = 0; k < sequences(); ++k) {
      if (last_[k] < 0) {
        copy_rows(gradient, sequence_[k], initial, k, 1);
        continue;
      }
      for (Dim c = 0; c < from.cols; ++c) to[last_[k]][c] += from[sequence_[k]][c];
    }
  });
  return initial;
}

Tensor Steps::before(const Tensor& states, const Tensor& initial) const {
  Tensor before = Tensor::empty(states.shape(), states.dtype());
  parallel_for(count(), 1 + 8 * count() / (rows() + 1), [&](Dim first, Dim end) {
    for (Dim t = first; t < end; ++t) {
      if (t == 0) {
        copy_rows(initial, 0, before, 0, active(0));
      } else {
        copy_rows(states, begin(t - 1), before, begin(t), active(t));
      }
    }
  });
  return before;
}

}  // namespace fovea
