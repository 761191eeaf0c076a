#include "fovea/tasks/translate/translate_data.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "fovea/data/find_data.h"
#include "fovea/metrics/alignment_error.h"

namespace fovea {
namespace {

PartReader reader_of(const TranslateData& data, Part part,
                     const std::vector<std::string>& extra = {}) {
  const std::size_t files = files_of(data, part).size();
  FOVEA_CHECK(!has_part(data, part) || files == 2,
              "data: expected two files (source, target), found ", files);
  return {data, part, ".", {.extra = extra, .join = data.join}};
}

/// To `longest`, if the recipe says so.
void cut_source(Ids& source, const TranslateData& data) {
  const auto longest = static_cast<std::size_t>(data.longest);
  if (data.cut && source.size() > longest) source.resize(longest);
}

/// Links of words as links of their pieces: each piece of one word with each of the other, in the
/// order of the targets.
Ids piece_links(const std::string& links, const Tokenizer& source, const Ids& source_ids,
                const Tokenizer& target, const Ids& target_ids) {
  const std::vector<Dim> from = source.words(source_ids), to = target.words(target_ids);
  std::set<std::pair<std::int32_t, std::int32_t>> links_of_pieces;  // target, source
  for (const auto& [source_word, target_word] : parse_links(links)) {
    for (std::size_t t = 0; t < to.size(); ++t) {
      for (std::size_t s = 0; to[t] == target_word && s < from.size(); ++s) {
        if (from[s] != source_word) continue;
        links_of_pieces.emplace(static_cast<std::int32_t>(t), static_cast<std::int32_t>(s));
      }
    }
  }
  Ids pairs;
  for (const auto& [t, s] : links_of_pieces) pairs.insert(pairs.end(), {t, s});
  return pairs;
}

/// Why an example is not learned from; "": it is.
std::string unfit(const Ids& source, const Ids& target, const TranslateData& data) {
  const std::size_t shorter = std::min(source.size(), target.size());
  const std::size_t longer = std::max(source.size(), target.size());
  if (shorter == 0) return "empty";
  if (longer > static_cast<std::size_t>(data.longest)) {
    return concat("longer than data.longest = ", data.longest, " pieces");
  }
  const bool alike =
      data.ratio == 0 || static_cast<double>(longer) <= data.ratio * static_cast<double>(shorter);
  return alike ? "" : concat("one side is more than data.ratio = ", data.ratio, " times as long");
}

}  // namespace

TestSet read_test_set(const TranslateData& data, Part part, bool join_equal_sources, Dim lines) {
  TestSet set;
  std::unordered_map<std::string, std::size_t> places;
  PartReader reader = reader_of(data, part);
  std::vector<std::string> fields;
  while (reader.next(fields)) {
    const auto known = join_equal_sources ? places.find(fields[0]) : places.end();
    if (known != places.end()) {
      set.references[known->second].push_back(fields[1]);
      continue;
    }
    if (lines > 0 && static_cast<Dim>(set.sources.size()) == lines) break;
    places.emplace(fields[0], set.sources.size());
    set.sources.push_back(fields[0]);
    set.references.push_back({fields[1]});
  }
  FOVEA_CHECK(!set.sources.empty(), "data: the ", name_of(part), " set has no lines",
              why_empty(data, part));
  return set;
}

TokenizerMap learn_tokenizers(const TranslateRecipe& recipe) {
  const auto learn = [&](TokenizerConfig config, std::vector<std::size_t> fields, bool reverse,
                         const std::vector<std::string>& extra = {}) {
    if (reverse) config.controls.emplace_back(TranslationModel::reverse_symbol);
    PartReader reader = reader_of(recipe.data, Part::train, extra);
    return learn_tokenizer(config, field_lines(reader, std::move(fields)), recipe.data);
  };
  const TranslateText& text = recipe.text;
  const bool reverse = recipe.objective.direction != TargetDirection::forward;
  TokenizerMap texts;
  for (const TranslateHead& head : recipe.heads) {
    texts.emplace(head.name, learn(head.text, {2}, false, {head.train}));
  }
  if (text.joint) {
    texts.emplace("source", learn(text.source, {0, 1}, reverse));
  } else {
    texts.emplace("source", learn(text.source, {0}, false));
    texts.emplace("target", learn(text.target, {1}, reverse));
  }
  return texts;
}

NeighbourReader read_neighbours(const TranslationModel& model) {
  const TranslateData& data = model.recipe.data;
  PartReader reader = reader_of(data, Part::train);
  std::vector<NeighbourReader::Line> lines;
  for (std::vector<std::string> fields; reader.next(fields);) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      FOVEA_CHECK(fields[i].find('\t') == std::string::npos, "data.neighbours: line ",
                  reader.number(), " of ", data.train[i],
                  " has a tab, which separates source and target in neighbours.tsv; ",
                  "put a blank in its place");
    }
    lines.emplace_back(fields[0], fields[1]);
  }
  return {model.source, model.target, std::move(lines), data.longest};
}

void TranslationModel::read(const TranslateData& data, Part part, ExampleSink<Query>& sink) const {
  const bool training = part == Part::train;
  const bool aligned = training && !data.alignments.empty();
  const bool of_train = training || data.dev.empty();  // dev: a share of it
  std::vector<std::string> extra;
  for (const TranslateHead& head : recipe.heads) extra.push_back(of_train ? head.train : head.dev);
  if (aligned) extra.push_back(data.alignments);
  PartReader reader = reader_of(data, part, extra);
  for (std::vector<std::string> fields; reader.next(fields);) {
    Example example{.source = source.encode(fields[0]), .target = target.encode(fields[1])};
    cut_source(example.source, data);
    if (!training) {  // nothing is left out of what is measured: it is cut, as `run` does it
      const auto longest = static_cast<std::size_t>(data.longest);
      for (Ids* side : {&example.source, &example.target}) {
        side->resize(std::min(side->size(), longest));
      }
    }
    for (std::size_t h = 0; h < heads.size(); ++h) {
      example.heads.push_back(heads[h].text.encode(fields[2 + h]));
    }
    if (aligned) {
      try {
        example.links = piece_links(fields.back(), source, example.source, target, example.target);
      } catch (const Error& error) {
        fail(data.alignments, ":", reader.number(), ": ", error.what());
      }
    }
    const std::string reason = training ? unfit(example.source, example.target, data) : "";
    if (!reason.empty()) {
      sink.skip(reason);
      continue;
    }
    if (neighbours) {
      example.source =
          neighbours->read(std::move(example.source), longest_of(recipe.model.config) - 1);
    }
    example.source.push_back(source.special().end);
    if (training && recipe.text.dropout > 0) example.texts = {fields[0], fields[1]};
    sink.add({std::move(example)}, reader.number());
  }
}

TranslateExample TranslationModel::view(const Examples<Example>& examples,
                                        const Visit& visit) const {
  Example example = examples[visit.example];
  if (visit.part != Part::train) return example;
  const auto epoch = static_cast<std::uint64_t>(visit.epoch);
  const auto cut_anew = [&](const Tokenizer& text, std::uint64_t side) {
    const Draws draws = {recipe.train.seed ^ 0x7e87,
                         epoch << 33 | (2 * std::uint64_t(visit.example) + side)};
    return text.sample(example.texts[side], draws, recipe.text.dropout);
  };
  if (recipe.text.dropout > 0) {
    example.source = cut_anew(source, 0);
    cut_source(example.source, recipe.data);
    example.source.push_back(source.special().end);
    example.target = cut_anew(target, 1);
  }
  const std::vector<Dim>& lags = recipe.objective.lags;
  if (!lags.empty()) {
    const Draws draws = {recipe.train.seed ^ 0x1a6, epoch};
    example.lag = lags[draws.below(static_cast<std::uint64_t>(visit.batch),
                                   static_cast<std::uint32_t>(lags.size()))];
  }
  return example;
}

}  // namespace fovea
