#include "fovea/decode/walk.h"

namespace fovea {

Pick with_repetition_penalty(double penalty, Pick pick) {
  if (penalty == 1) return pick;
  return [penalty = static_cast<float>(penalty), pick = std::move(pick)](
             const Open& open, Dim sample, std::span<const float> logits) {
    std::vector<float> changed(logits.begin(), logits.end());
    for (const std::int32_t id : open.text.ids) {
      const auto i = static_cast<std::size_t>(id);
      changed[i] = logits[i] > 0 ? logits[i] / penalty : logits[i] * penalty;
    }
    return pick(open, sample, changed);
  };
}

Found walk(Front& front, Dim samples, const Pick& pick) {
  struct Picked {
    std::int32_t id = -1;
    float log_probability = 0;
  };
  Found found(front.requests().size());
  // At the first step all samples of a request are drawn from its one hypothesis.
  for (Dim copies = samples; !front.open().empty(); copies = 1) {
    const Dim count = static_cast<Dim>(front.open().size());
    const auto sample_of = [&](const Open& open, Dim copy) { return open.sample + copy; };
    std::vector<Picked> picked(static_cast<std::size_t>(count * copies));
    front.step([&](Dim i, std::span<const float> logits, float log_sum) {
      const Open& open = front.open()[static_cast<std::size_t>(i)];
      for (Dim copy = 0; copy < copies; ++copy) {
        const std::int32_t id = pick(open, sample_of(open, copy), logits);
        if (id < 0) continue;
        picked[static_cast<std::size_t>(i * copies + copy)] = {
            id, logits[static_cast<std::size_t>(id)] - log_sum};
      }
    });
    std::vector<Open> next;
    std::vector<Dim> from;
    for (Dim i = 0; i < count; ++i) {
      const Open& open = front.open()[static_cast<std::size_t>(i)];
      auto& list = found[static_cast<std::size_t>(open.request)];
      for (Dim copy = 0; copy < copies; ++copy) {
        const auto [id, log_probability] = picked[static_cast<std::size_t>(i * copies + copy)];
        if (id < 0) {
          list.push_back(front.scored(open, i));
          continue;
        }
        Open longer = front.longer(open, id, log_probability);
        longer.sample = sample_of(open, copy);
        front.show(longer);
        if (front.closed(longer)) {
          list.push_back(front.scored(std::move(longer), i));
        } else {
          next.push_back(std::move(longer));
          from.push_back(i);
        }
      }
    }
    front.advance(std::move(next), from);
  }
  return found;
}

}  // namespace fovea
