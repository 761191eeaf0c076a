#include "fovea/decode/walk.h"
#include "fovea/kernels/top.h"

namespace fovea {

std::int32_t likeliest(std::span<const float> logits) {
  float value = 0;
  std::int32_t id = -1;
  kernels::top(logits.data(), static_cast<Dim>(logits.size()), 1, &value, &id);
  return id;
}

Found greedy_search(Front& front) {
  const Pick pick = [](const Open&, Dim, std::span<const float> logits) {
    return likeliest(logits);
  };
  return walk(front, 1, with_repetition_penalty(front.config().repetition_penalty, pick));
}

}  // namespace fovea
