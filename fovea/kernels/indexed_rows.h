/// Rows by index (embeddings) and rows by segment (pooling). The caller has checked the indices.
#pragma once

#include <span>

#include "fovea/base/view.h"

namespace fovea::kernels {

/// y_i = table[index_i] for each row of y.
void gather_rows(Rows<const float> table, const std::int32_t* index, Rows<float> y);
void gather_rows(Rows<const double> table, const std::int32_t* index, Rows<double> y);

/// table[index_i] += x_i for each row of x, in rising order of i: indices may repeat.
void scatter_add_rows(Rows<const float> x, const std::int32_t* index, Rows<float> table);
void scatter_add_rows(Rows<const double> x, const std::int32_t* index, Rows<double> table);

enum class Pool { sum, mean, max };

/// Row s of y pools the rows [offsets_s, offsets_s+1) of x, column by column; an empty segment
/// gives zeros. For max, `where` takes the row of x that each number came from, the first of
/// equals, -1 for none; the others leave it alone.
void pool_segments(Pool pool, Rows<const float> x, std::span<const Dim> offsets, Rows<float> y,
                   Rows<std::int32_t> where);
void pool_segments(Pool pool, Rows<const double> x, std::span<const Dim> offsets, Rows<double> y,
                   Rows<std::int32_t> where);

/// dx from dy.
void pool_segments_backward(Pool pool, Rows<const float> dy, std::span<const Dim> offsets,
                            Rows<const std::int32_t> where, Rows<float> dx);
void pool_segments_backward(Pool pool, Rows<const double> dy, std::span<const Dim> offsets,
                            Rows<const std::int32_t> where, Rows<double> dx);

}  // namespace fovea::kernels
