#include <algorithm>

#include "fovea/decode/front.h"
#include "fovea/kernels/top.h"

namespace fovea {
namespace {

/// The likeliest tokens after each open hypothesis, the likeliest first; -1 after the last. Twice
/// the beam: even if every hypothesis can end, a whole beam of others remains.
struct Tops {
  Dim width = 0;
  std::vector<float> log_probabilities;  // (open, width)
  std::vector<std::int32_t> ids;         // (open, width)

  void read(Front& front) {
    width = 2 * front.config().beam;
    const std::size_t size = front.open().size() * static_cast<std::size_t>(width);
    log_probabilities.resize(size);
    ids.resize(size);
    front.step([this](Dim i, std::span<const float> logits, float log_sum) {
      float* values = log_probabilities.data() + i * width;
      kernels::top(logits.data(), static_cast<Dim>(logits.size()), width, values,
                   ids.data() + i * width);
      for (Dim k = 0; k < width; ++k) values[k] -= log_sum;
    });
  }
  std::int32_t id(Dim i, Dim k) const {
    return k < width ? ids[static_cast<std::size_t>(i * width + k)] : -1;
  }
  float log_probability(Dim i, Dim k) const {
    return log_probabilities[static_cast<std::size_t>(i * width + k)];
  }
};

/// One step of one request, whose hypotheses are open()[begin, end).
class BeamStep {
 public:
  BeamStep(const Front& front, const Tops& tops, Dim begin, Dim end)
      : front_(front),
        tops_(tops),
        begin_(begin),
        end_(end),
        taken_(static_cast<std::size_t>(end - begin), 0) {}

  /// Moves the best continuations to `next` (with `from`), those that end or must stop to `found`.
  void run(std::vector<Hypothesis>& found, std::vector<Open>& next, std::vector<Dim>& from) {
    const Dim beam = front_.config().beam;
    const auto first = static_cast<std::ptrdiff_t>(next.size());
    Dim rank = 0;
    for (; rank < tops_.width && std::ssize(next) - first < beam; ++rank) {
      const Dim i = best();
      if (i < 0) break;
      Dim& k = taken_[static_cast<std::size_t>(i - begin_)];
      Open longer = front_.longer(open(i), tops_.id(i, k), tops_.log_probability(i, k));
      ++k;
      if (!longer.text.finished) {
        next.push_back(std::move(longer));
        from.push_back(i);
      } else if (rank < beam) {
        found.push_back(front_.scored(std::move(longer), i));
      }
    }
    if (rank == 0) {  // nothing may follow
      for (Dim i = begin_; i < end_; ++i) found.push_back(front_.scored(open(i), i));
    }
    if (std::ssize(next) == first) return;
    const auto opened = next.begin() + first;
    const bool enough = std::ssize(found) >= beam || cannot_improve(*opened, found);
    if (!enough && !front_.closed(*opened)) return;
    for (auto open = opened; !enough && open != next.end(); ++open) {
      found.push_back(front_.scored(*open, from[static_cast<std::size_t>(open - next.begin())]));
    }
    next.erase(opened, next.end());
    from.resize(next.size());
  }

 private:
  const Open& open(Dim i) const { return front_.open()[static_cast<std::size_t>(i)]; }

  /// Whose next continuation is the likeliest. Of equals the lower id, then the lower hypothesis.
  /// -1 if none has any left.
  Dim best() const {
    Dim best = -1;
    double best_log_probability = 0;
    std::int32_t best_id = -1;
    for (Dim i = begin_; i < end_; ++i) {
      const Dim k = taken_[static_cast<std::size_t>(i - begin_)];
      const std::int32_t id = tops_.id(i, k);
      if (id < 0) continue;
      const double log_probability = open(i).text.log_probability + tops_.log_probability(i, k);
      if (best < 0 || log_probability > best_log_probability ||
          (log_probability == best_log_probability && id < best_id)) {
        best = i;
        best_log_probability = log_probability;
        best_id = id;
      }
    }
    return best;
  }

  /// n_best are finished and nothing open can overtake them. log p only falls, but with alpha > 0
  /// the penalty of a longer text is larger and its score may be better: the bound is log p of the
  /// likeliest open one (they are in order) over the penalty at the greatest length. The coverage
  /// penalty is at best 0.
  bool cannot_improve(const Open& likeliest, std::span<const Hypothesis> found) const {
    const auto n = static_cast<std::size_t>(front_.config().n_best);
    if (found.size() < n) return false;
    std::vector<double> scores;
    for (const Hypothesis& hypothesis : found) scores.push_back(hypothesis.score);
    std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(n) - 1,
                     scores.end(), std::greater<>());
    return scores[n - 1] >= normalised(likeliest.text.log_probability,
                                       front_.limit(likeliest.request),
                                       front_.config().length_penalty);
  }

  const Front& front_;
  const Tops& tops_;
  Dim begin_, end_;
  std::vector<Dim> taken_;  // of each hypothesis: how many of its tops
};

}  // namespace

/// At each step the 2 beam likeliest continuations of a request are looked at in order. One that
/// ends counts if it is among the first beam of them; the first beam of the others stay open. A
/// request is done when beam hypotheses are finished, or n_best are and no open one can overtake
/// them, or the open ones are as long as they may be. So a beam of 1 is greedy search.
Found beam_search(Front& front) {
  Found found(front.requests().size());
  Tops tops;
  while (!front.open().empty()) {
    tops.read(front);
    std::vector<Open> next;
    std::vector<Dim> from;
    const Dim count = static_cast<Dim>(front.open().size());
    for (Dim begin = 0, end = 0; begin < count; begin = end) {
      const auto request_of = [&](Dim i) {
        return front.open()[static_cast<std::size_t>(i)].request;
      };
      while (end < count && request_of(end) == request_of(begin)) ++end;
      BeamStep(front, tops, begin, end)
          .run(found[static_cast<std::size_t>(request_of(begin))], next, from);
    }
    front.advance(std::move(next), from);
  }
  return found;
}

}  // namespace fovea
