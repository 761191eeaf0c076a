#include "pronounce/training.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/autograd/backward.h"
#include "fovea/ops/loss.h"
#include "fovea/train/clip.h"
#include "fovea/train/optimizers.h"

namespace pronounce {

using namespace fovea;

namespace {

struct Example {
  const Ids* letters;
  const Ids* sounds;
};

/// Endless rounds over all examples, in a new order each round. A batch is so many rows, whatever
/// the lengths of its words: nothing is padded, so nothing need be sorted.
class Batches {
 public:
  Batches(const Dictionary& dictionary, Dim rows, Rng& rng) : rows_(rows), rng_(rng) {
    for (const Word& word : dictionary.words()) {
      if (word.held_out) continue;
      for (const Ids& sounds : word.pronunciations) examples_.push_back({&word.letters, &sounds});
    }
    next_ = examples_.size();
  }

  std::vector<Example> next() {
    if (next_ == examples_.size()) shuffle();
    std::vector<Example> batch;
    for (Dim rows = 0; next_ < examples_.size() && rows < rows_; ++next_) {
      batch.push_back(examples_[next_]);
      rows += static_cast<Dim>(batch.back().letters->size() + batch.back().sounds->size() + 1);
    }
    return batch;
  }

 private:
  void shuffle() {  // Fisher and Yates
    const Draws draws = rng_.next();
    for (std::size_t i = examples_.size(); i > 1; --i) {
      std::swap(examples_[i - 1], examples_[draws.below(i, static_cast<std::uint32_t>(i))]);
    }
    next_ = 0;
  }

  Dim rows_;
  Rng& rng_;
  std::vector<Example> examples_;
  std::size_t next_;
};

Var loss_of(const Model& model, const std::vector<Example>& batch, double smoothing, Rng& rng) {
  std::vector<Ids> words, before, after;  // the mark begins a pronunciation, and ends it
  for (const Example& example : batch) {
    words.push_back(*example.letters);
    before.push_back(*example.sounds);
    before.back().insert(before.back().begin(), Dictionary::mark);
    after.push_back(*example.sounds);
    after.back().push_back(Dictionary::mark);
  }
  const Pass pass = {.rng = &rng};
  const Sequences letters = joined(words);
  const Var memory = model.encode(letters, pass);                              // (M, W)
  const Var h = model.decode(joined(before), memory, letters.segments, pass);  // (N, W)
  return linear_cross_entropy(h, model.out.weight, model.out.bias, joined(after).ids,
                              {.smoothing = smoothing});
}

/// Insertions, deletions and changes that make b of a: Levenshtein 1966.
std::size_t distance(const Ids& a, const Ids& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] != b[j] ? 1 : 0);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

void train(const Model& model, Params& params, const Dictionary& dictionary,
           const TrainConfig& config, Progress& progress) {
  Rng rng = {.seed = config.seed};
  Batches batches(dictionary, config.batch, rng);
  Adam adam(params, {.beta2 = 0.98, .eps = 1e-9});
  while (progress.part() < 1) {
    const double part = progress.part();
    const double rate = config.learning_rate *
                        std::min((part + 1e-3) / config.warmup, (1 - part) / (1 - config.warmup));
    const std::vector<Example> batch = batches.next();
    const Var loss = loss_of(model, batch, config.smoothing, rng);
    Gradients gradients = backward(loss);
    const double norm = clip_norm(gradients, params, config.max_norm);
    FOVEA_CHECK(std::isfinite(norm), "training: the gradient of step ", progress.step(),
                " is not finite");
    adam.step(gradients, rate);
    std::size_t sounds = 0;
    for (const Example& example : batch) sounds += example.sounds->size();
    progress.count(loss.item(), static_cast<std::int64_t>(sounds));
  }
  progress.finish();
}

ErrorRates test(const Model& model, const Dictionary& dictionary) {
  std::vector<const Word*> held;
  for (const Word& word : dictionary.words()) {
    if (word.held_out) held.push_back(&word);
  }
  std::size_t wrong = 0, changes = 0, sounds = 0;
  constexpr std::size_t at_once = 256;
  for (std::size_t begin = 0; begin < held.size(); begin += at_once) {
    const std::size_t end = std::min(held.size(), begin + at_once);
    std::vector<Ids> letters;
    for (std::size_t i = begin; i < end; ++i) letters.push_back(held[i]->letters);
    const std::vector<Ids> spoken = pronounce_greedily(model, letters);
    for (std::size_t i = begin; i < end; ++i) {
      const auto& right = held[i]->pronunciations;
      const auto nearest = std::min_element(right.begin(), right.end(), [&](auto& a, auto& b) {
        return distance(spoken[i - begin], a) < distance(spoken[i - begin], b);
      });
      const std::size_t off = distance(spoken[i - begin], *nearest);
      wrong += off > 0;
      changes += off;
      sounds += nearest->size();
    }
  }
  return {.words = held.size(),
          .of_words = static_cast<double>(wrong) / static_cast<double>(held.size()),
          .of_sounds = static_cast<double>(changes) / static_cast<double>(sounds)};
}

}  // namespace pronounce
