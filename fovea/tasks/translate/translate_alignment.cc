#include "fovea/tasks/translate/translate_alignment.h"

#include <algorithm>

#include "fovea/metrics/alignment_error.h"
#include "fovea/tasks/translate/translate_record.h"

namespace fovea {
namespace {

GoldLinks gold_links(const std::string& line, const TextFile& file, std::int64_t number) {
  try {
    return parse_gold_links(line);
  } catch (const Error& error) {
    fail(file.path.string(), ":", number, ": ", error.what());
  }
}

}  // namespace

std::string word_links(const TranslationModel& model, const IdPair& pair) {
  const RecordOptions options{.layers = model.alignment_layer_of(*model.net.decoder),
                              .words = true};
  const AttentionMap alignment =
      alignment_map(records_of(model, std::span(&pair, 1), options).front());
  // Without the ends, and without what neighbours have.
  const auto beside = static_cast<Dim>(pair.source.size() - model.own(pair.source).size());
  const Dim sources = static_cast<Dim>(alignment.keys.size()) - beside;
  const auto targets = static_cast<Dim>(alignment.queries.size()) - 1;
  std::vector<Link> links;
  // Of a word that was copied from a neighbour it is still asked which of the source's own it is.
  for (const auto& [target, source] : hard_alignment(alignment, model.neighbours ? sources : -1)) {
    if (target < targets && source < sources) links.emplace_back(source, target);
  }
  if (model.recipe.objective.direction == TargetDirection::reverse) {  // the last word came first
    for (Link& link : links) link.second = targets - 1 - link.second;
    std::reverse(links.begin(), links.end());
  }
  return pharaoh(links);
}

Report alignment_report(const TranslationModel& model, const TestSet& set, const TextFile& gold) {
  TextReader reader(gold);
  AlignmentErrors errors;
  std::string line;
  for (std::size_t i = 0; i < set.sources.size(); ++i) {
    FOVEA_CHECK(reader.next(line), gold.path.string(), ": ", i, " lines of links for ",
                set.sources.size(), " sources");
    const IdPair pair{model.encode_source(set.sources[i]),
                      model.target.encode(set.references[i].front())};
    errors.add(parse_links(word_links(model, pair)), gold_links(line, gold, reader.number()));
  }
  FOVEA_CHECK(!reader.next(line), gold.path.string(), ": more lines of links than the ",
              set.sources.size(), " sources have; are they of another set?");
  const Dim head = model.alignment_head();
  return {{"aer", 100 * errors.rate(), false},
          formatted("AER = %.2f %% (precision %.2f %%, recall %.2f %%)", 100 * errors.rate(),
                    100 * errors.precision(), 100 * errors.recall()),
          concat("decoder layer ", model.alignment_layer(), ", ",
                 head < 0 ? "mean of the heads" : concat("head ", head), "; largest weight")};
}

}  // namespace fovea
