#include "fovea/decode/search.h"

#include <algorithm>

#include "fovea/decode/decoding.h"

namespace fovea {

void check(const DecodeConfig& config) {
  FOVEA_CHECK(config.beam >= 1 && config.beam <= widest_beam, ErrorKind::bad_setting,
              "decode: expected a beam of 1 to ", widest_beam, ", found ", config.beam);
  FOVEA_CHECK(config.n_best >= 1, ErrorKind::bad_setting,
              "decode: expected n_best of at least 1, found ", config.n_best);
  FOVEA_CHECK(config.search != Search::beam || config.beam >= config.n_best, ErrorKind::bad_setting,
              "decode: a beam of ", config.beam, " does not hold the ", config.n_best,
              " best; set decode.beam (--beam) to at least ", config.n_best);
  FOVEA_CHECK(config.max_length >= 1 && config.min_length >= 0 && config.no_repeat >= 0,
              ErrorKind::bad_setting,
              "decode: expected max_length of at least 1 and min_length and no_repeat of at least "
              "0, found ",
              config.max_length, ", ", config.min_length, " and ", config.no_repeat);
  FOVEA_CHECK(config.length_penalty >= 0 && config.coverage_penalty >= 0, ErrorKind::bad_setting,
              "decode: expected penalties of at least 0, found ", config.length_penalty, " and ",
              config.coverage_penalty);
  FOVEA_CHECK(
      config.temperature >= 0 && config.top_k >= 0 && config.top_p > 0 && config.top_p <= 1,
      ErrorKind::bad_setting,
      "decode: expected a temperature and top_k of at least 0 and top_p above 0, at most 1, found ",
      config.temperature, ", ", config.top_k, " and ", config.top_p);
  FOVEA_CHECK(config.min_p >= 0 && config.min_p <= 1 && config.repetition_penalty > 0,
              ErrorKind::bad_setting,
              "decode: expected a min_p of 0 to 1 and a repetition_penalty above 0, found ",
              config.min_p, " and ", config.repetition_penalty);
  FOVEA_CHECK(config.search != Search::beam || config.repetition_penalty == 1,
              ErrorKind::bad_setting,
              "decode: a beam compares texts by their own probabilities, which a ",
              "repetition_penalty is no part of; take search = \"greedy\" or \"sample\"");
}

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
  FOVEA_CHECK(!watch || config.search != Search::beam,
              "decode: the texts of a beam change as it goes and cannot be watched; take ",
              "search = \"greedy\" or \"sample\"");
  std::vector<std::vector<Hypothesis>> found(requests.size());
  if (requests.empty()) return found;
  std::vector<std::unique_ptr<Searching>> searching;
  for (const DecodeRequest& request : requests) {
    searching.push_back(
        Searching::begin({std::ssize(searching), request, config, watch}, end, suppressed));
  }
  // Nobody owns the stepper here: it is the caller's.
  Decoding decoding(std::shared_ptr<Stepper>(std::shared_ptr<void>(), &stepper),
                    std::move(searching));
  while (!decoding.empty()) {
    for (auto& one : decoding.step()) {
      found[static_cast<std::size_t>(one->job().key)] = one->take_found();
    }
  }
  return found;
}

}  // namespace fovea
