/// Requests whose texts grow together, a token each at a step. A finished one leaves; others may
/// enter between two steps: what a request finds does not depend on who goes with it.
///
///   Decoding all(stepper, std::move(requests));
///   while (!all.empty()) {
///     for (auto& done : all.step()) answer(done->job().key, done->take_found());
///     if (somebody_waits) {
///       Decoding fresh(stepper_of(their_sources), std::move(their_requests));
///       for (auto& done : fresh.step()) answer(done->job().key, done->take_found());
///       all.join(std::move(fresh));
///     }
///   }
#pragma once

#include "fovea/decode/searching.h"
#include "fovea/decode/stepper.h"

namespace fovea {

class Decoding {
 public:
  using Requests = std::vector<std::unique_ptr<Searching>>;

  Decoding() = default;
  /// The stepper holds one hypothesis for each request, in their order, and has not been given
  /// anything.
  Decoding(std::shared_ptr<Stepper> stepper, Requests requests);

  bool empty() const { return requests_.empty(); }
  /// Open hypotheses: rows of a step.
  Dim rows() const;
  const Requests& requests() const { return requests_; }

  /// All open texts grow by a token. Gives the requests that are done and have left.
  Requests step();
  /// Takes over all that is open in another, which has made at least one step, as this has unless
  /// it is empty.
  void join(Decoding other);
  /// Lets go of requests: nobody waits for them any more.
  void drop(const std::function<bool(Dim key)>& unwanted);

 private:
  void check(const Tensor& logits) const;
  void select(std::span<const Dim> from);
  void expect_last();  // the next step gives each hypothesis its last token

  std::shared_ptr<Stepper> stepper_;
  Requests requests_;  // hypotheses of the stepper are those of the first, of the second, ...
  Coverage coverage_{0};
  Sequences next_;  // what the model has not been given yet
};

}  // namespace fovea
