#include "fovea/decode/search.h"

#include <algorithm>

#include "fovea/decode/decoding.h"

namespace fovea {
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
