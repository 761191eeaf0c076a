#include "fovea/tasks/translate_alignment.h"

#include <algorithm>

#include "fovea/metrics/alignment_error.h"

namespace fovea {
namespace {

constexpr const char* kEnd = "</s>";

/// Targets in the order in which the decoder wrote them, and the end.
Ids written_ids(const TranslationModel& model, const IdPair& pair) {
  Ids ids = pair.target;
  if (model.recipe.objective.direction == TargetDirection::reverse)
    std::reverse(ids.begin(), ids.end());
  ids.push_back(Tokenizer::end);
  return ids;
}

std::vector<std::string> names_of_pieces(const Tokenizer& text, const Ids& ids) {
  std::vector<std::string> names;
  for (const std::int32_t id : ids) {
    names.push_back(id == Tokenizer::end ? kEnd : text.piece(id));
  }
  return names;
}

WordsOfTokens words_of(const Tokenizer& text, const Ids& ids) {
  WordsOfTokens words{.word = text.words(ids), .names = {}};
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t next = i;
    while (next < ids.size() && words.word[next] == words.word[i]) ++next;
    words.names.push_back(
        ids[i] == Tokenizer::end ? kEnd : text.decode(std::span(ids).subspan(i, next - i)));
    i = next;
  }
  return words;
}

std::vector<AttentionMap> merged(const TranslationModel& model, const IdPair& pair,
                                 std::span<const AttentionMap> maps) {
  const WordsOfTokens targets = words_of(model.target, written_ids(model, pair));
  const WordsOfTokens sources = words_of(model.source, pair.source);
  std::vector<AttentionMap> words;
  for (const AttentionMap& map : maps) words.push_back(merge(map, targets, sources));
  return words;
}

/// The map that says where a target came from: one head, or the mean of its layer's.
AttentionMap alignment_of(const TranslationModel& model, const Probe& probe, Dim sequence,
                          std::span<const std::string> targets,
                          std::span<const std::string> sources) {
  const std::string name = model.alignment_layer_of(*model.net.decoder);
  const auto maps = maps_of(*probe.find(name), sequence, targets, sources);
  const Dim head = model.alignment_head();
  return head < 0 ? mean_of(maps, name + " mean") : maps[static_cast<std::size_t>(head)];
}

/// The steps that each row took before it halted, as its shade: all that the model may take are 1.
DocumentHeat steps_of(const AttentionRecord& record, const std::string& title,
                      const std::vector<std::string>& names) {
  const Tensor shares = record.matrix(0, 0);  // (rows, steps)
  DocumentHeat::Sentence sentence{.weight = 1, .words = {}, .weights = {}};
  for (Dim r = 0; r < shares.rows(); ++r) {
    Dim steps = shares.cols();
    while (steps > 1 && shares.view<float>()[r][steps - 1] == 0) --steps;
    sentence.words.push_back(concat(names[static_cast<std::size_t>(r)], ":", steps));
    sentence.weights.push_back(static_cast<float>(steps));
  }
  return {title, {sentence}};
}

/// Of a model whose rows halt each by itself: how much each step had a share in its row.
void add_halting(const TranslationModel& model, const IdPair& pair,
                 const std::vector<std::string>& sources, const std::vector<std::string>& targets,
                 Looked& looked) {
  Probe probe({.where = "*.halting"});
  look(model, std::span(&pair, 1), probe);
  for (const AttentionRecord& record : probe.records()) {
    const auto& rows = record.layer.starts_with("encoder") ? sources : targets;
    std::vector<std::string> steps;
    for (Dim t = 1; t <= record.keys.length(0); ++t) steps.push_back(concat("step ", t));
    for (AttentionMap& map : maps_of(record, 0, rows, steps)) looked.maps.push_back(std::move(map));
    looked.documents.push_back(
        steps_of(record, concat(record.layer, ": steps of each position"), rows));
  }
}

}  // namespace

std::vector<Looked> look_at(const TranslationModel& model, std::span<const IdPair> pairs,
                            bool words) {
  FOVEA_CHECK(!model.net.decoder->looks().empty(),
              "look: this model has no attention, there is nothing to look at");
  std::vector<Looked> all;
  for (const IdPair& pair : pairs) {            // one at a time: memory is that of one
    Probe probe({.where = "decoder.*cross*"});  // and what hard attention drew
    look(model, std::span(&pair, 1), probe);
    const auto targets = names_of_pieces(model.target, written_ids(model, pair));
    const auto sources = names_of_pieces(model.source, pair.source);
    Looked looked{.line = model.source.decode(pair.source),
                  .answer = model.target.decode(pair.target),
                  .alignment = alignment_of(model, probe, 0, targets, sources),
                  .maps = maps_of(probe, 0, targets, sources)};
    if (words) {
      looked.alignment = merged(model, pair, std::span(&looked.alignment, 1)).front();
      looked.maps = merged(model, pair, looked.maps);
    }
    if (model.recipe.model.ponders()) add_halting(model, pair, sources, targets, looked);
    all.push_back(std::move(looked));
  }
  return all;
}

std::string word_links(const TranslationModel& model, const IdPair& pair) {
  const Looked looked = std::move(look_at(model, std::span(&pair, 1), true).front());
  const auto sources = static_cast<Dim>(looked.alignment.keys.size()) - 1;  // without the ends
  const auto targets = static_cast<Dim>(looked.alignment.queries.size()) - 1;
  std::vector<Link> links;
  for (const auto& [target, source] : hard_alignment(looked.alignment)) {
    if (target < targets && source < sources) links.emplace_back(source, target);
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
    errors.add(parse_links(word_links(model, pair)), parse_gold_links(line));
  }
  const Dim head = model.alignment_head();
  return {{"aer", 100 * errors.rate(), false},
          formatted("AER = %.2f %% (precision %.2f %%, recall %.2f %%)", 100 * errors.rate(),
                    100 * errors.precision(), 100 * errors.recall()),
          concat("decoder layer ", model.alignment_layer(), ", ",
                 head < 0 ? "mean of the heads" : concat("head ", head), "; largest weight")};
}

}  // namespace fovea
