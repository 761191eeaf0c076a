/// Searches for the best continuations under any model that has a Stepper.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/decode/stepper.h"

namespace fovea {

enum class Search { greedy, beam, sample };
constexpr std::array<std::string_view, 3> names_of(Search) { return {"greedy", "beam", "sample"}; }

/// More follow a line for minutes and fill the memory, and find nothing better.
constexpr Dim widest_beam = 1024;

/// Lengths count forced text and what is written; for max_length and the length penalty the end is
/// one more.
struct DecodeConfig {
  Search search = Search::beam;
  Dim beam = 4;
  Dim n_best = 1;                 // of a beam, at most its width; or so many independent samples
  double length_penalty = 0.6;    // alpha, see score.h
  double coverage_penalty = 0;    // beta, see score.h
  Dim min_length = 0;             // no end before so many ids
  Dim max_length = 256;           // but at least one step after what is forced
  Dim no_repeat = 0;              // no n-gram of this length twice; 0: any
  double temperature = 1;         // of sampling: p_i ~ exp(x_i / temperature); 0: greedy
  Dim top_k = 0;                  // sample of so many likeliest; 0: of all
  double top_p = 1;               // sample of the fewest likeliest that hold this much probability
  double min_p = 0;               // sample of those with this share of the likeliest's probability
  double repetition_penalty = 1;  // theta, see walk.h; greedy and sample; 1: none
  Dim seed = 1;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("search", search);
    visit("beam", beam);
    visit("n_best", n_best);
    visit("length_penalty", length_penalty);
    visit("coverage_penalty", coverage_penalty);
    visit("min_length", min_length);
    visit("max_length", max_length);
    visit("no_repeat", no_repeat);
    visit("temperature", temperature);
    visit("top_k", top_k);
    visit("top_p", top_p);
    visit("min_p", min_p);
    visit("repetition_penalty", repetition_penalty);
    visit("seed", seed);
  }
};

/// Throws if settings contradict each other or make no sense.
void check(const DecodeConfig& config);

/// What was found. Probabilities are the model's own: neither temperature nor what is forbidden
/// changes them.
struct Hypothesis {
  Ids ids = {};      // forced text and what was written; without control symbols and the end
  double score = 0;  // see score.h
  double log_probability = 0;
  std::vector<float> token_log_probabilities = {};  // one for each id, 0 if forced; then the end's
  bool finished = false;  // by the end or by who watches; otherwise by max_length, or nothing was
                          // allowed to follow
  std::shared_ptr<const CapturedSteps> captured = {};  // if DecodeJob::capture says so

  /// In tokens, the end included: what scores are normalised by.
  Dim length() const { return std::ssize(token_log_probabilities); }
};

/// The best first: finished ones by score, then the others by score, equal ones as they stood. An
/// unfinished text is mostly a loop that the model finds ever likelier, whatever its score.
void rank(std::vector<Hypothesis>& hypotheses);

/// One thing to continue. `prefix` is given to the model before it writes: first `control` symbols
/// that are no part of the text (begin, a language), then text that is forced.
struct DecodeRequest {
  Ids prefix = {};
  Dim control = 1;
  Dim min_length = 0;  // as the config's, beside it
  Dim max_length = 0;  // if positive: a limit of its own below that of the config
  Dim number = 0;      // what is sampled depends on the seed and on this, not on the batch
};

/// The end of texts that have none: only who watches and max_length end them.
constexpr std::int32_t no_end = -1;

/// Told of each text that became a token longer, by greedy search and sampling: whose it is, which
/// of its samples, and the text. True ends it there. Those of one step come in order, on one
/// thread.
using Watch = std::function<bool(Dim request, Dim sample, const Hypothesis& text)>;

/// Hypotheses of each request, at most n_best, ranked. The stepper holds one hypothesis for each
/// request, in their order, and has not been given anything. `suppressed` ids are never written:
/// the unknown, control symbols.
///
/// A request's result does not depend on the others in its batch. Logits with NaN or +inf are an
/// error; one of -inf means that the token cannot follow.
std::vector<std::vector<Hypothesis>> decode(Stepper& stepper,
                                            std::span<const DecodeRequest> requests,
                                            std::int32_t end, const DecodeConfig& config = {},
                                            std::span<const std::int32_t> suppressed = {},
                                            const Watch& watch = {});

}  // namespace fovea
