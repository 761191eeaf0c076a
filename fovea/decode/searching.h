/// One request on its way to its answers: which of its texts are open, which were found. Knows
/// nothing of the model or of other requests.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "fovea/decode/constraints.h"
#include "fovea/decode/score.h"
#include "fovea/decode/search.h"

namespace fovea {

/// A hypothesis that still grows.
struct Open {
  Dim sample = 0;  // its number among the samples of its request
  Hypothesis text = {};
};

/// A request with what belongs to it alone.
struct DecodeJob {
  Dim key = 0;  // names it
  DecodeRequest request = {};
  DecodeConfig config = {};
  /// Told of the likeliest open text of a beam too, whose answer is not asked for.
  Watch watch = {};
  bool capture = false;  // its texts carry what was captured while they were written
};

class Searching {
 public:
  /// By the search that its config names. `suppressed` ids are never written.
  static std::unique_ptr<Searching> begin(DecodeJob job, std::int32_t end,
                                          std::span<const std::int32_t> suppressed);
  virtual ~Searching() = default;

  const DecodeJob& job() const { return job_; }
  const std::vector<Open>& open() const { return open_; }
  const Constraints& constraints() const { return constraints_; }
  /// The text that is forced: the prefix without control symbols.
  std::span<const std::int32_t> forced_text() const;

  /// The logits of what follows open()[i]. What may not follow has logit -inf; `log_sum` is the
  /// logsumexp of all logits, so that log p = logit - log_sum is the model's own. Called for each,
  /// on any threads.
  virtual void read(Dim i, std::span<const float> logits, float log_sum) = 0;

  /// What was captured of open()[i], hypothesis `hypothesis` of the step whose logits are read.
  void add_captured(Dim i, std::shared_ptr<const StepCapture> step, Dim hypothesis);

  /// All were read: each grows by a token, ends or is dropped. Gives for each of the new open()
  /// which of the old ones it continues. penalty(i) is the coverage penalty of old open()[i].
  using Penalty = std::function<double(Dim i)>;
  virtual std::vector<Dim> advance(const Penalty& penalty) = 0;

  /// Those found, at most n_best, ranked.
  std::vector<Hypothesis> take_found();

 protected:
  Searching(DecodeJob job, Constraints constraints);

  /// `open` and one token more, which may be the end.
  Open longer(const Open& open, std::int32_t id, float log_probability) const;
  /// The most tokens that a hypothesis may have, its end included.
  Dim limit() const;
  /// Tells who watches of a text that became longer; true ends it.
  bool show(const Open& open) const;
  /// Finished, or as long as it may be.
  bool closed(const Open& open) const;
  Hypothesis scored(Open open, double penalty) const;

  DecodeJob job_;
  Constraints constraints_;
  std::vector<Open> open_;
  std::vector<Hypothesis> found_;  // in no order yet
};

/// The searches behind begin().
std::unique_ptr<Searching> greedy_search(DecodeJob job, Constraints constraints);
std::unique_ptr<Searching> beam_search(DecodeJob job, Constraints constraints);
std::unique_ptr<Searching> sample_search(DecodeJob job, Constraints constraints);

}  // namespace fovea
