/// All of a forward pass that is neither weight nor input. A model is written once: training,
/// validation, a step of decoding and a request at a server differ only in this.
#pragma once

#include "fovea/base/rng.h"

namespace fovea {

class Cache;  // attention/cache.h
class Probe;  // attention/probe.h

struct Pass {
  Rng* rng = nullptr;      // null: no dropout
  Cache* cache = nullptr;  // null: whole sequences
  Probe* probe = nullptr;  // null: nothing is kept of the attention weights
};

}  // namespace fovea
