/// An epoch of training from beginning to end: ids of Multi30k are read from a file, put into
/// batches of like length, and learned by the tiny Transformer.
#include <fstream>
#include <memory>
#include <sstream>

#include "bench/pairs.h"
#include "bench/workload.h"
#include "fovea/autograd/backward.h"
#include "fovea/data/batches.h"
#include "fovea/data/find_data.h"
#include "fovea/data/parallel.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/optimizers.h"

namespace fovea::bench {
namespace {

constexpr Dim vocabulary = 6000;
constexpr std::size_t quick_pairs = 2000;  // as in peer_translate.py

struct IdPair {
  Ids source, target;  // bare
};

Ids numbers_in(const std::string& text) {
  std::istringstream words(text);
  Ids ids;
  for (std::int32_t id = 0; words >> id;) ids.push_back(id);
  return ids;
}

/// A line a pair: source, tab, target.
std::vector<IdPair> read_ids() {
  std::ifstream file(files() / "multi30k.ids");
  const bool quick = std::getenv("FOVEA_BENCH_QUICK");
  std::vector<IdPair> all;
  for (std::string source, target;
       std::getline(file, source, '\t') && std::getline(file, target);) {
    all.push_back({numbers_in(source), numbers_in(target)});
    if (quick && all.size() == quick_pairs) break;
  }
  return all;
}

Pairs batch_of(const std::vector<IdPair>& all, std::span<const std::uint32_t> chosen) {
  std::vector<Ids> sources, read, wanted;
  for (const std::uint32_t i : chosen) {
    sources.push_back(all[i].source);
    sources.back().push_back(SpecialIds().end);
    read.push_back(all[i].target);
    read.back().insert(read.back().begin(), SpecialIds().begin);
    wanted.push_back(all[i].target);
    wanted.back().push_back(SpecialIds().end);
  }
  return {joined(sources), joined(read), joined(wanted).ids};
}

struct Epochs {
  Params params{/*seed=*/1};
  Transformer model{params.scope(), translator(Preset::tiny, vocabulary)};
  Adam adam{params, {.beta2 = 0.98, .eps = 1e-9}};
  Rng rng = {.seed = 1};
  Dim epoch = 0;

  void run() {
    const std::vector<IdPair> all = read_ids();
    std::vector<std::int32_t> rows;
    for (const IdPair& pair : all) {
      rows.push_back(static_cast<std::int32_t>(pair.source.size() + pair.target.size() + 2));
    }
    const Batches batches(rows, {.rows = 4096}, epoch++);
    for (Dim b = 0; b < batches.size(); ++b) {
      adam.step(
          backward(loss_of(model.encoder, model.decoder, batch_of(all, batches[b]), {.rng = &rng})),
          1e-4);
    }
  }
};

}  // namespace

void write_multi30k_ids() {
  const std::vector<TextFile> texts = {{.path = find_data("multi30k", "train.en.gz")},
                                       {.path = find_data("multi30k", "train.de.gz")}};
  std::vector<std::string> fields;
  std::vector<std::string> lines;
  for (ParallelReader reader(texts); reader.next(fields);) {
    lines.insert(lines.end(), fields.begin(), fields.end());
  }
  std::size_t next = 0;
  const Tokenizer tokenizer =
      Tokenizer::train({.vocabulary = vocabulary, .lowercase = true}, [&](std::string& line) {
        if (next == lines.size()) return false;
        line = lines[next++];
        return true;
      });
  std::ofstream file(files() / "multi30k.ids");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::int32_t id : tokenizer.encode(lines[i])) file << id << ' ';
    file << (i % 2 == 0 ? '\t' : '\n');
  }
  FOVEA_CHECK(file.flush(), "fovea_bench: ", (files() / "multi30k.ids").string(),
              " cannot be written");
}

std::vector<Workload> epoch_workloads() {
  return {{"multi30k-epoch", [] {
             return std::vector<Part>{
                 {.run = [made = std::make_shared<Epochs>()] { made->run(); }, .cold = true}};
           }}};
}

}  // namespace fovea::bench
