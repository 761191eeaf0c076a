#include "fovea/decode/walk.h"
#include "fovea/kernels/top.h"

namespace fovea {

std::int32_t likeliest(std::span<const float> logits) {
  float value = 0;
  std::int32_t id = -1;
  kernels::top(logits.data(), static_cast<Dim>(logits.size()), 1, &value, &id);
  return id;
}

std::unique_ptr<Searching> greedy_search(DecodeJob job, Constraints constraints) {
  return walk(std::move(job), std::move(constraints), 1,
              [](const Open&, Dim, std::span<const float> logits) { return likeliest(logits); });
}

}  // namespace fovea
