#include "fovea/tasks/translate/translate_data.h"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>

#include "fovea/data/find_data.h"
#include "fovea/metrics/alignment_error.h"
#include "fovea/tasks/translate/translation_model.h"

namespace fovea {
namespace {

PartReader reader_of(const TranslateData& data, Part part, const std::filesystem::path& base,
                     const std::vector<std::string>& extra = {}) {
  const std::size_t files = files_of(data, part).size();
  FOVEA_CHECK(!has_part(data, part) || files == 2,
              "data: expected two files (source, target), found ", files);
  return {data, part, base, {.extra = extra, .join = data.join}};
}

/// One field of a part, line after line.
Tokenizer::Lines field_lines(const TranslateData& data, const std::filesystem::path& base,
                             const std::vector<std::string>& extra,
                             std::vector<std::size_t> wanted) {
  struct State {
    PartReader reader;
    std::vector<std::string> fields = {};
    std::size_t next;
  };
  auto state = std::make_shared<State>(
      State{.reader = reader_of(data, Part::train, base, extra), .next = wanted.size()});
  return [state, wanted](std::string& line) {
    if (state->next == wanted.size()) {
      if (!state->reader.next(state->fields)) return false;
      state->next = 0;
    }
    line = state->fields[wanted[state->next++]];
    return true;
  };
}

TokenizerConfig target_config(const TokenizerConfig& config, TargetDirection direction) {
  TokenizerConfig with = config;
  if (direction != TargetDirection::forward) {
    with.controls.emplace_back(TranslationModel::reverse_symbol);
  }
  return with;
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

TranslateRecipe located(TranslateRecipe recipe, const std::filesystem::path& base) {
  locate(recipe.data, base);
  recipe.data.alignments = located(recipe.data.alignments, base);
  for (TranslateHead& head : recipe.heads) {
    head.train = located(head.train, base), head.dev = located(head.dev, base);
  }
  return recipe;
}

TestSet read_test_set(const TranslateData& data, Part part, const std::filesystem::path& base,
                      bool join_equal_sources, Dim lines) {
  TestSet set;
  std::unordered_map<std::string, std::size_t> places;
  PartReader reader = reader_of(data, part, base);
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

Tokenizers train_tokenizers(const TranslateRecipe& recipe, const std::filesystem::path& base) {
  const TranslateText& text = recipe.text;
  const TargetDirection direction = recipe.objective.direction;
  const auto learn = [&](const TokenizerConfig& config, std::vector<std::size_t> fields,
                         const std::vector<std::string>& extra = {}) {
    return learn_tokenizer(config, field_lines(recipe.data, base, extra, std::move(fields)),
                           recipe.data);
  };
  std::vector<Tokenizer> heads;
  for (const TranslateHead& head : recipe.heads) {
    heads.push_back(learn(head.text, {2}, {head.train}));
  }
  if (text.joint) {
    const Tokenizer both = learn(target_config(text.source, direction), {0, 1});
    return {both, both, std::move(heads)};
  }
  return {learn(text.source, {0}), learn(target_config(text.target, direction), {1}),
          std::move(heads)};
}

NeighbourReader read_neighbours(const TranslateRecipe& recipe, const Tokenizers& texts,
                                const std::filesystem::path& base) {
  PartReader reader = reader_of(recipe.data, Part::train, base);
  std::vector<NeighbourReader::Line> lines;
  for (std::vector<std::string> fields; reader.next(fields);) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      FOVEA_CHECK(fields[i].find('\t') == std::string::npos, "data.neighbours: line ",
                  reader.number(), " of ", recipe.data.train[i],
                  " has a tab, which separates source and target in neighbours.tsv; ",
                  "put a blank in its place");
    }
    lines.emplace_back(fields[0], fields[1]);
  }
  return {texts.source, texts.target, std::move(lines), recipe.data.longest};
}

void cut_source(Ids& source, const TranslateData& data) {
  const auto longest = static_cast<std::size_t>(data.longest);
  if (data.cut && source.size() > longest) source.resize(longest);
}

Corpus read_corpus(const TranslateRecipe& recipe, const Tokenizers& texts, Part part,
                   const std::filesystem::path& base, const std::filesystem::path& scratch,
                   SkippedExamples* left_out) {
  const bool training = part == Part::train;
  const bool aligned = training && !recipe.data.alignments.empty();
  std::vector<std::string> extra;
  const bool of_train = training || recipe.data.dev.empty();  // dev: a share of it
  for (const TranslateHead& head : recipe.heads) extra.push_back(of_train ? head.train : head.dev);
  const std::size_t heads = extra.size();
  if (aligned) extra.push_back(recipe.data.alignments);

  PartReader reader = reader_of(recipe.data, part, base, extra);
  CorpusBuilder corpus(scratch, static_cast<Dim>(2 + extra.size()),
                       training && recipe.text.dropout > 0);
  std::vector<std::string> fields;
  while (reader.next(fields)) {
    std::vector<Ids> ids = {texts.source.encode(fields[0]), texts.target.encode(fields[1])};
    cut_source(ids[0], recipe.data);
    if (!training) {  // nothing is left out of what is measured: it is cut, as `run` does it
      const auto longest = static_cast<std::size_t>(recipe.data.longest);
      for (Ids& side : ids) side.resize(std::min(side.size(), longest));
    }
    for (std::size_t h = 0; h < heads; ++h) ids.push_back(texts.heads[h].encode(fields[2 + h]));
    if (aligned) {
      try {
        ids.push_back(piece_links(fields.back(), texts.source, ids[0], texts.target, ids[1]));
      } catch (const Error& error) {
        fail(recipe.data.alignments, ":", reader.number(), ": ", error.what());
      }
    }
    const std::string reason = training ? unfit(ids[0], ids[1], recipe.data) : "";
    if (left_out) left_out->count(reason);
    if (!reason.empty()) continue;
    if (texts.neighbours) {
      ids[0] = texts.neighbours->read(std::move(ids[0]), longest_of(recipe.model.config) - 1);
    }
    ids[0].push_back(texts.source.special().end);
    corpus.add(ids, fields, reader.number());
  }
  const Corpus made = corpus.finish();
  FOVEA_CHECK(made.size() > 0, "data: the ", name_of(part), " set has no examples",
              training ? concat("; are its files empty, or all lines longer than data.longest = ",
                                recipe.data.longest, " pieces?")
                       : why_empty(recipe.data, part));
  return made;
}

}  // namespace fovea
