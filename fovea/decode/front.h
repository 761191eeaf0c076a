/// The open hypotheses of a batch, kept in step with what the model holds of them.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fovea/decode/constraints.h"
#include "fovea/decode/score.h"
#include "fovea/decode/search.h"
#include "fovea/decode/stepper.h"

namespace fovea {

/// A hypothesis that still grows.
struct Open {
  Dim request = 0;
  Dim sample = 0;  // its number among the samples of its request
  Hypothesis text = {};
};

/// Lists of hypotheses, one for each request.
using Found = std::vector<std::vector<Hypothesis>>;

class Front {
 public:
  /// One open hypothesis for each request, with the text that is forced.
  Front(Stepper& stepper, std::span<const DecodeRequest> requests, const Constraints& constraints,
        const DecodeConfig& config, const Watch& watch);

  const DecodeConfig& config() const { return config_; }
  std::span<const DecodeRequest> requests() const { return requests_; }
  /// Hypothesis i of the stepper is open()[i]. Those of one request stand together.
  const std::vector<Open>& open() const { return open_; }

  /// Gives the model what it has not been given yet, then calls body(i, logits, log_sum) for each
  /// open hypothesis, on all threads. What may not follow has logit -inf; `log_sum` is the
  /// logsumexp of all logits, so that log p = logit - log_sum is the model's own.
  using Body = std::function<void(Dim i, std::span<const float> logits, float log_sum)>;
  void step(const Body& body);

  /// Goes on with `next`, of which next[i] is open()[from[i]] and one id more.
  void advance(std::vector<Open> next, std::span<const Dim> from);

  /// `open` and one token more, which may be the end.
  Open longer(const Open& open, std::int32_t id, float log_probability) const;
  /// The most tokens that a hypothesis of this request may have, its end included.
  Dim limit(Dim request) const;
  /// Tells who watches of a text that became longer; it may end it.
  void show(Open& open) const;
  /// Finished, or as long as it may be.
  bool closed(const Open& open) const;
  /// The text with its score; it was hypothesis `from` at the last step.
  Hypothesis scored(Open open, Dim from) const;

 private:
  void check(const Tensor& logits) const;
  void check_finite(std::span<const float> log_sums) const;

  Stepper& stepper_;
  std::span<const DecodeRequest> requests_;
  const Constraints& constraints_;
  const DecodeConfig& config_;
  const Watch& watch_;
  Coverage coverage_;
  std::vector<Open> open_;
  Sequences next_;  // what the model has not been given yet
};

/// The searches behind decode(). Lists are in no order yet.
Found greedy_search(Front& front);
Found beam_search(Front& front);
Found sample_search(Front& front);

}  // namespace fovea
