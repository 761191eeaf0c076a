/// An epoch of training a tagger: words and letters of CoNLL-2003 as ids, read by an LSTM in both
/// directions under a conditional random field. Where the set is not on this machine, as many texts
/// of like lengths are drawn.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "bench/workload.h"
#include "fovea/autograd/backward.h"
#include "fovea/base/rng.h"
#include "fovea/data/batches.h"
#include "fovea/data/columns.h"
#include "fovea/data/find_data.h"
#include "fovea/metrics/entities.h"
#include "fovea/models/tagger.h"
#include "fovea/ops/elementwise.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/optimizers.h"

namespace fovea::bench {
namespace {

constexpr Dim tags = 17, vocabulary = 21100, letters = 100;
constexpr std::size_t quick_texts = 2000;  // as in peer_tagging.py

struct Text {
  Ids words, tags, letters, letter_counts;
};

/// A line a text; a word is "id,tag,letter,letter,...".
std::vector<Text> read_texts() {
  std::ifstream file(files() / "conll2003.ids");
  const bool quick = std::getenv("FOVEA_BENCH_QUICK");
  std::vector<Text> all;
  for (std::string line; std::getline(file, line) && !(quick && all.size() == quick_texts);) {
    Text& text = all.emplace_back();
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      std::istringstream numbers(word);
      Ids ids;
      for (std::string number; std::getline(numbers, number, ',');)
        ids.push_back(std::stoi(number));
      text.words.push_back(ids[0]);
      text.tags.push_back(ids[1]);
      text.letters.insert(text.letters.end(), ids.begin() + 2, ids.end());
      text.letter_counts.push_back(static_cast<std::int32_t>(ids.size() - 2));
    }
  }
  return all;
}

struct Batch {
  TagBatch rows;
  Tensor tags;
};

Batch batch_of(const std::vector<Text>& all, std::span<const std::uint32_t> chosen) {
  std::vector<Ids> words, tags, letters;
  std::vector<Dim> letter_counts;
  for (const std::uint32_t i : chosen) {
    words.push_back(all[i].words);
    tags.push_back(all[i].tags);
    letters.push_back(all[i].letters);
    letter_counts.insert(letter_counts.end(), all[i].letter_counts.begin(),
                         all[i].letter_counts.end());
  }
  const Sequences tokens = joined(words);
  return {{.rows = {.tokens = tokens,
                    .letters = {joined(letters).ids, Segments::of_lengths(letter_counts)}},
           .words = tokens.segments,
           .firsts = {}},
          joined(tags).ids};
}

TaggerConfig bilstm_crf() {
  TaggerConfig c;
  c.family = TextFamily::recurrent;
  c.vocabulary = vocabulary, c.layers = 1, c.width = 100, c.hidden = 128, c.dropout = 0.5;
  c.letters = letters, c.letter_width = 32, c.letter_filters = 64;
  c.tags = tags;
  return c;
}

struct Epochs {
  std::vector<Text> texts = read_texts();
  Params params{/*seed=*/1};
  Tagger tagger{params.scope(), bilstm_crf()};
  Adam adam{params};
  Rng rng = {.seed = 1};
  Dim epoch = 0;

  void run() {
    std::vector<std::int32_t> rows;
    for (const Text& text : texts) rows.push_back(static_cast<std::int32_t>(text.words.size()));
    const Batches batches(rows, {.rows = 384}, epoch++);
    for (Dim b = 0; b < batches.size(); ++b) {
      const Batch batch = batch_of(texts, batches[b]);
      const auto scores = tagger(batch.rows, {.rng = &rng});
      const Var loss = tagger.tag_loss(scores.tags, batch.rows.words, batch.tags);
      adam.step(backward(scale(loss, 1 / static_cast<double>(batch.tags.size()))), 1e-3);
    }
  }
};

void write_word(std::ostream& file, std::int32_t id, Dim tag, const Ids& spelled) {
  file << id << ',' << tag;
  for (const std::int32_t letter : spelled) file << ',' << letter;
  file << ' ';
}

void write_drawn(std::ostream& file) {
  const Draws draws = {.seed = 1};
  std::uint64_t drawn = 0;
  const auto below = [&](std::uint32_t n) {
    return static_cast<std::int32_t>(draws.below(drawn++, n));
  };
  for (Dim text = 0; text < 14041; ++text) {
    for (std::int32_t words = 1 + below(28); words > 0; --words) {
      Ids spelled(static_cast<std::size_t>(1 + below(8)));
      for (std::int32_t& letter : spelled) letter = below(letters);
      write_word(file, below(vocabulary), below(tags), spelled);
    }
    file << '\n';
  }
}

void write_read(std::ostream& file, const std::filesystem::path& path) {
  std::vector<std::vector<std::string>> texts;
  std::vector<std::vector<std::string>> tagged;
  std::vector<std::string> kinds;
  ColumnReader reader({{.path = path, .column = 1}, {.path = path, .column = 4}});
  for (ColumnSentence sentence; reader.next(sentence);) {
    texts.push_back(sentence.columns[0]);
    tagged.push_back(tags_of(entities_of(sentence.columns[1]),
                             static_cast<Dim>(texts.back().size()), TagScheme::bioes));
  }
  const auto learned = [&](const TokenizerConfig& config) {
    std::size_t text = 0, word = 0;
    return Tokenizer::train(config, [&](std::string& line) {
      if (text < texts.size() && word == texts[text].size()) ++text, word = 0;
      if (text == texts.size()) return false;
      line = texts[text][word++];
      return true;
    });
  };
  const Tokenizer words =
      learned({.kind = TokenizerKind::words, .vocabulary = vocabulary, .lowercase = true});
  const Tokenizer spelling = learned({.kind = TokenizerKind::characters, .vocabulary = letters});
  for (std::size_t t = 0; t < texts.size(); ++t) {
    for (std::size_t w = 0; w < texts[t].size(); ++w) {
      auto kind = std::find(kinds.begin(), kinds.end(), tagged[t][w]);
      if (kind == kinds.end()) kind = kinds.insert(kind, tagged[t][w]);
      write_word(file, words.encode(texts[t][w]).at(0), kind - kinds.begin(),
                 spelling.encode(texts[t][w]));
    }
    file << '\n';
  }
}

}  // namespace

void write_conll2003_ids() {
  std::ofstream file(files() / "conll2003.ids");
  const Presence here = status(find_set("conll2003"));
  if (here.complete()) {
    write_read(file, find_data("conll2003", "eng.train.gz"));
  } else {
    write_drawn(file);
  }
  FOVEA_CHECK(file.flush(), "fovea_bench: ", (files() / "conll2003.ids").string(),
              " cannot be written");
}

std::vector<Workload> tagging_workloads() {
  return {{"bilstm-crf-epoch", [] {
             return std::vector<Part>{
                 {.run = [made = std::make_shared<Epochs>()] { made->run(); }, .cold = true}};
           }}};
}

}  // namespace fovea::bench
