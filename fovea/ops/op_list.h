/// Every op of this room. The tests go through this list: an op that is not in it fails the test
/// `oplist`, and one without samples (op_samples.h) does not compile.
#pragma once

#include "fovea/ops/attend.h"
#include "fovea/ops/batch_norm.h"
#include "fovea/ops/convolution.h"
#include "fovea/ops/crf.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/embedding.h"
#include "fovea/ops/linear.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/matmul.h"
#include "fovea/ops/norm.h"
#include "fovea/ops/pairs.h"
#include "fovea/ops/pooling.h"
#include "fovea/ops/recurrent.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/rope.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"
#include "fovea/ops/softmax.h"
#include "fovea/ops/spectral_norm.h"

namespace fovea {

template <class... Ops>
struct OpList {};

using AllOps = OpList<
    // attend.h
    op::Attend, op::AttendMemory, op::AttendPacked,
    // convolution.h, pooling.h
    op::Convolution, op::RowsUnder, op::MaxPool, op::AveragePool,
    // crf.h
    op::Crf,
    // elementwise.h
    op::Unary, op::Binary, op::BinaryRow, op::BinaryColumn, op::Affine, op::ScaleGradient, op::Glu,
    // embedding.h, dropout.h, norm.h, batch_norm.h
    op::Embedding, op::Dropout, op::Norm, op::AddNorm, op::PostNorm, op::BatchNorm,
    // linear.h, matmul.h
    op::Linear, op::Matmul,
    // loss.h, reduce.h
    op::CrossEntropy, op::LinearCrossEntropy, op::BinaryCrossEntropy, op::Sum, op::RowSums,
    op::RowMax,
    // pairs.h
    op::PairDot, op::PairRead, op::PairAdditive,
    // recurrent.h
    op::GruCell, op::GruLayer, op::LstmCell, op::LstmLayer,
    // rope.h
    op::Rotate,
    // rows.h
    op::GatherRows, op::ScatterRows, op::SliceRows, op::Columns, op::SplitColumns, op::ConcatRows,
    op::ConcatColumns, op::Reshape, op::Transpose,
    // segment.h
    op::SegmentPool, op::SegmentSoftmax,
    // softmax.h
    op::Softmax, op::LogSoftmax,
    // spectral_norm.h
    op::SpectralNorm, op::WeightNorm>;

}  // namespace fovea
