#include "fovea/decode/walk.h"

namespace fovea {
namespace {

class Walking : public Searching {
 public:
  Walking(DecodeJob job, Constraints constraints, Dim samples, Pick pick)
      : Searching(std::move(job), std::move(constraints)),
        copies_(samples),
        pick_(std::move(pick)),
        picked_(static_cast<std::size_t>(samples)) {}

  void read(Dim i, std::span<const float> logits, float log_sum) override {
    const Open& before = open_[static_cast<std::size_t>(i)];
    for (Dim copy = 0; copy < copies_; ++copy) {
      const std::int32_t id = pick_(before, before.sample + copy, logits);
      picked_[static_cast<std::size_t>(i * copies_ + copy)] = {
          id, id < 0 ? 0 : logits[static_cast<std::size_t>(id)] - log_sum};
    }
  }

  std::vector<Dim> advance(const Penalty& penalty) override {
    std::vector<Open> next;
    std::vector<Dim> from;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      for (Dim copy = 0; copy < copies_; ++copy) {
        const auto [id, log_probability] =
            picked_[i * static_cast<std::size_t>(copies_) + static_cast<std::size_t>(copy)];
        if (id < 0) {
          found_.push_back(scored(open_[i], penalty(static_cast<Dim>(i))));
          continue;
        }
        Open grown = longer(open_[i], id, log_probability);
        grown.sample = open_[i].sample + copy;
        if (show(grown)) grown.text.finished = true;
        if (closed(grown)) {
          found_.push_back(scored(std::move(grown), penalty(static_cast<Dim>(i))));
        } else {
          next.push_back(std::move(grown));
          from.push_back(static_cast<Dim>(i));
        }
      }
    }
    open_ = std::move(next);
    copies_ = 1;
    picked_.resize(open_.size());
    return from;
  }

 private:
  struct Picked {
    std::int32_t id = -1;
    float log_probability = 0;
  };
  Dim copies_;  // at the first step all samples are drawn from the one hypothesis; then 1
  Pick pick_;
  std::vector<Picked> picked_;  // (open, copies)
};

}  // namespace

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

std::unique_ptr<Searching> walk(DecodeJob job, Constraints constraints, Dim samples, Pick pick) {
  const double penalty = job.config.repetition_penalty;
  return std::make_unique<Walking>(std::move(job), std::move(constraints), samples,
                                   with_repetition_penalty(penalty, std::move(pick)));
}

}  // namespace fovea
