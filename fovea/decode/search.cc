#include "fovea/decode/search.h"

#include <algorithm>

#include "fovea/decode/front.h"

namespace fovea {
namespace {

void check(const DecodeConfig& config) {
  FOVEA_CHECK(config.n_best >= 1, "decode: expected n_best of at least 1, found ", config.n_best);
  FOVEA_CHECK(config.search != Search::beam || config.beam >= config.n_best, "decode: a beam of ",
              config.beam, " does not hold the ", config.n_best, " best; widen it");
  FOVEA_CHECK(config.max_length >= 1 && config.min_length >= 0 && config.no_repeat >= 0,
              "decode: expected max_length of at least 1 and min_length and no_repeat of at least "
              "0, found ",
              config.max_length, ", ", config.min_length, " and ", config.no_repeat);
  FOVEA_CHECK(config.length_penalty >= 0 && config.coverage_penalty >= 0,
              "decode: expected penalties of at least 0, found ", config.length_penalty, " and ",
              config.coverage_penalty);
  FOVEA_CHECK(config.temperature >= 0 && config.top_k >= 0 && config.top_p > 0,
              "decode: expected a temperature and top_k of at least 0 and top_p above 0, found ",
              config.temperature, ", ", config.top_k, " and ", config.top_p);
  FOVEA_CHECK(config.min_p >= 0 && config.min_p <= 1 && config.repetition_penalty > 0,
              "decode: expected a min_p of 0 to 1 and a repetition_penalty above 0, found ",
              config.min_p, " and ", config.repetition_penalty);
  FOVEA_CHECK(config.search != Search::beam || config.repetition_penalty == 1,
              "decode: a beam compares texts by their own probabilities, which a ",
              "repetition_penalty is no part of; take search = \"greedy\" or \"sample\"");
}

Found search(Front& front, const DecodeConfig& config) {
  switch (config.search) {
    case Search::greedy:
      return greedy_search(front);
    case Search::beam:
      return beam_search(front);
    case Search::sample:
      return config.temperature == 0 ? greedy_search(front) : sample_search(front);
  }
  fail("decode: no such search");
}

}  // namespace

void rank(std::vector<Hypothesis>& hypotheses) {
  std::stable_sort(hypotheses.begin(), hypotheses.end(),
                   [](const Hypothesis& a, const Hypothesis& b) {
                     return a.finished != b.finished ? a.finished : a.score > b.score;
                   });
}

std::vector<std::vector<Hypothesis>> decode(Stepper& stepper,
                                            std::span<const DecodeRequest> requests,
                                            std::int32_t end, const DecodeConfig& config,
                                            std::span<const std::int32_t> suppressed,
                                            const Watch& watch) {
  check(config);
  FOVEA_CHECK(!watch || config.search != Search::beam,
              "decode: the texts of a beam change as it goes and cannot be watched; take ",
              "search = \"greedy\" or \"sample\"");
  const Constraints constraints(end, config, suppressed);
  Front front(stepper, requests, constraints, config, watch);
  Found found = search(front, config);
  for (auto& list : found) {
    rank(list);
    if (std::ssize(list) > config.n_best) list.resize(static_cast<std::size_t>(config.n_best));
  }
  return found;
}

}  // namespace fovea
