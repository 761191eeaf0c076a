/// Sums over the rows of a matrix whose bits do not depend on the number of threads: the rows are
/// cut into blocks of a fixed size, each block is summed by itself, and the sums of the blocks are
/// added in order.
#pragma once

#include <algorithm>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/scratch.h"

namespace fovea::kernels {

constexpr Dim kRowBlock = 64;

/// total = sum over blocks of what body(begin, end, partial) adds to `partial`, which has `width`
/// numbers and is zero before. `cols` is the length of the rows that body reads.
template <class T, Dim kBlock = kRowBlock, class Body>
void sum_over_row_blocks(Dim rows, Dim cols, Dim width, T* total, Body&& body) {
  const Dim blocks = (rows + kBlock - 1) / kBlock;
  if (blocks <= 1) {
    std::fill_n(total, width, T(0));
    if (rows > 0) body(Dim(0), rows, total);
    return;
  }
  const Scratch<T> partials(blocks * width);
  parallel_for(blocks, row_grain(cols * kBlock), [&](Dim first, Dim last) {
    for (Dim block = first; block < last; ++block) {
      T* partial = partials.data() + block * width;
      std::fill_n(partial, width, T(0));
      body(block * kBlock, std::min(rows, (block + 1) * kBlock), partial);
    }
  });
  parallel_for(width, row_grain(blocks), [&](Dim begin, Dim end) {
    std::copy(partials.data() + begin, partials.data() + end, total + begin);
    for (Dim block = 1; block < blocks; ++block) {
      const T* partial = partials.data() + block * width;
      for (Dim c = begin; c < end; ++c) total[c] += partial[c];
    }
  });
}

}  // namespace fovea::kernels
