#include <algorithm>

#include "fovea/decode/searching.h"
#include "fovea/kernels/top.h"

namespace fovea {
namespace {

/// At each step the 2 beam likeliest continuations of a request are looked at in order. One that
/// ends counts if it is among the first beam of them; the first beam of the others stay open. A
/// request is done when beam hypotheses are finished, or n_best are and no open one can overtake
/// them, or the open ones are as long as they may be. So a beam of 1 is greedy search.
class Beam : public Searching {
 public:
  Beam(DecodeJob job, Constraints constraints)
      : Searching(std::move(job), std::move(constraints)), width_(2 * job_.config.beam) {
    resize();
  }

  void read(Dim i, std::span<const float> logits, float log_sum) override {
    float* values = log_probabilities_.data() + i * width_;
    kernels::top(logits.data(), std::ssize(logits), width_, values, ids_.data() + i * width_);
    for (Dim k = 0; k < width_; ++k) values[k] -= log_sum;
  }

  std::vector<Dim> advance(const Penalty& penalty) override {
    std::vector<Open> next;
    std::vector<Dim> from;
    std::vector<Dim> taken(open_.size(), 0);  // of each hypothesis: how many of its tops
    Dim rank = 0;
    for (; rank < width_ && std::ssize(next) < job_.config.beam; ++rank) {
      const Dim i = best(taken);
      if (i < 0) break;
      Dim& k = taken[static_cast<std::size_t>(i)];
      Open grown = longer(open_[static_cast<std::size_t>(i)], id(i, k), log_probability(i, k));
      ++k;
      if (!grown.text.finished) {
        next.push_back(std::move(grown));
        from.push_back(i);
      } else if (rank < job_.config.beam) {
        found_.push_back(scored(std::move(grown), penalty(i)));
      }
    }
    if (rank == 0) {  // nothing may follow
      for (Dim i = 0; i < std::ssize(open_); ++i) {
        found_.push_back(scored(open_[static_cast<std::size_t>(i)], penalty(i)));
      }
    }
    close(next, from, penalty);
    open_ = std::move(next);
    if (!open_.empty()) show(open_.front());
    resize();
    return from;
  }

 private:
  std::int32_t id(Dim i, Dim k) const {
    return k < width_ ? ids_[static_cast<std::size_t>(i * width_ + k)] : -1;
  }
  float log_probability(Dim i, Dim k) const {
    return log_probabilities_[static_cast<std::size_t>(i * width_ + k)];
  }
  void resize() {
    log_probabilities_.resize(open_.size() * static_cast<std::size_t>(width_));
    ids_.resize(log_probabilities_.size());
  }

  /// Ends the search if enough was found, or the open ones are as long as they may be.
  void close(std::vector<Open>& next, std::vector<Dim>& from, const Penalty& penalty) {
    if (next.empty()) return;
    const bool enough = std::ssize(found_) >= job_.config.beam || cannot_improve(next.front());
    if (!enough && !closed(next.front())) return;
    for (std::size_t i = 0; !enough && i < next.size(); ++i) {
      found_.push_back(scored(std::move(next[i]), penalty(from[i])));
    }
    next.clear();
    from.clear();
  }

  /// Whose next continuation is the likeliest. Of equals the lower id, then the lower hypothesis.
  /// -1 if none has any left.
  Dim best(std::span<const Dim> taken) const {
    Dim best = -1;
    double best_log_probability = 0;
    std::int32_t best_id = -1;
    for (Dim i = 0; i < std::ssize(open_); ++i) {
      const Dim k = taken[static_cast<std::size_t>(i)];
      const std::int32_t next = id(i, k);
      if (next < 0) continue;
      const double sum =
          open_[static_cast<std::size_t>(i)].text.log_probability + log_probability(i, k);
      if (best < 0 || sum > best_log_probability ||
          (sum == best_log_probability && next < best_id)) {
        best = i;
        best_log_probability = sum;
        best_id = next;
      }
    }
    return best;
  }

  /// n_best are finished and nothing open can overtake them. log p only falls, but with alpha > 0
  /// the penalty of a longer text is larger and its score may be better: the bound is log p of the
  /// likeliest open one (they are in order) over the penalty at the greatest length. The coverage
  /// penalty is at best 0.
  bool cannot_improve(const Open& likeliest) const {
    const auto n = static_cast<std::size_t>(job_.config.n_best);
    if (found_.size() < n) return false;
    std::vector<double> scores;
    for (const Hypothesis& hypothesis : found_) scores.push_back(hypothesis.score);
    std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(n) - 1,
                     scores.end(), std::greater<>());
    return scores[n - 1] >=
           normalised(likeliest.text.log_probability, limit(), job_.config.length_penalty);
  }

  // The likeliest tokens after each open hypothesis, the likeliest first; -1 after the last. Twice
  // the beam: even if every hypothesis can end, a whole beam of others remains.
  Dim width_;
  std::vector<float> log_probabilities_;  // (open, width)
  std::vector<std::int32_t> ids_;         // (open, width)
};

}  // namespace

std::unique_ptr<Searching> beam_search(DecodeJob job, Constraints constraints) {
  return std::make_unique<Beam>(std::move(job), std::move(constraints));
}

}  // namespace fovea
