/// Every op of this room. The tests go through this list: an op that is not in it fails the test
/// `oplist`, and one without samples (op_samples.h) does not compile.
#pragma once

#include "fovea/ops/attend.h"
#include "fovea/ops/pairs.h"
#include "fovea/ops/softmax.h"

namespace fovea {

template <class... Ops>
struct OpList {};

using AllOps = OpList<                                                          //
    op::Attend, op::AttendMemory, op::AttendPacked, op::PairDot, op::PairRead,  //
    op::Softmax>;

}  // namespace fovea
