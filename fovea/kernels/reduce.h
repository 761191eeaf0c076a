/// Sums and largest numbers. The order of every sum depends only on the sizes, so its bits are the
/// same on any number of threads.
#pragma once

#include "fovea/base/view.h"

namespace fovea::kernels {

/// sums_c = sum over rows of x_rc: the gradient of a bias.
void column_sums(Rows<const float> x, float* sums);
void column_sums(Rows<const double> x, double* sums);

/// sums_r = sum over columns of x_rc.
void row_sums(Rows<const float> x, float* sums);
void row_sums(Rows<const double> x, double* sums);

/// largest_r = max over columns of x_rc, -inf if there is none; where_r its column, the first of
/// equals, -1 if there is none. NaN counts as none. `where` may be null.
void row_max(Rows<const float> x, float* largest, std::int32_t* where);
void row_max(Rows<const double> x, double* largest, std::int32_t* where);

/// Blocks of 16,384 numbers are summed in their own precision, the blocks in double precision.
double sum(const float* x, Dim count);
double sum(const double* x, Dim count);

/// sum of x_i y_i.
double dot(const float* x, const float* y, Dim count);
double dot(const double* x, const double* y, Dim count);

/// sum of x_i^2.
double sum_of_squares(const float* x, Dim count);
double sum_of_squares(const double* x, Dim count);

}  // namespace fovea::kernels
