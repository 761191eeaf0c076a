#include "fovea/tasks/shown_examples.h"

#include <nlohmann/json.hpp>

namespace fovea {

void ShownExamples::add(std::string input, RunRecord record, std::string reference) {
  samples.push_back({std::move(input), record.output, std::move(reference)});
  if (samples.size() == 1) first = std::move(record);
}

std::vector<std::string> ShownExamples::lines(Dim step) const {
  if (samples.empty()) return {};
  std::vector<std::string> all = {samples_line(samples, step).dump()};
  if (first.layers.empty()) return all;
  const AttentionMap map =
      first.alignment ? alignment_map(first) : map_of(first, first.layers.back().name);
  all.push_back(attention_line(map, step).dump());
  return all;
}

}  // namespace fovea
