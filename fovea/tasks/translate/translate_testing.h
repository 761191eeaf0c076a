/// A tiny translator for tests, and the files that it learns from.
#pragma once

#include <fstream>

#include "fovea/tasks/task_testing.h"
#include "fovea/tasks/translate/translate_workload.h"

namespace fovea {

inline constexpr const char* tiny_translator = R"(
task = "translate"
data = { train = ["train.en", "train.de"], split = { dev = 0.1, test = 0.1 } }
batch = { rows = 256 }
decode = { beam = 2 }
evaluate = { metrics = ["bleu", "wer"] }
[text]
joint = false
source = { kind = "words" }
target = { kind = "words" }
[model]
encoder_layers = 2
decoder_layers = 2
width = 32
heads = 2
hidden = 64
norm = "pre"
dropout = 0.0
[train]
epochs = 16
clip = 1.0
schedule = { kind = "linear", rate = 5e-3, warmup = 20 }
)";

/// A language of five words that is translated word by word, and its files.
class TinyTranslator : public TinyTask<TranslationModel, TranslateWorkload> {
 protected:
  TinyTranslator() : TinyTask(tiny_translator) {
    const std::vector<std::string> from = {"one", "two", "three", "four", "five"};
    const std::vector<std::string> to = {"eins", "zwei", "drei", "vier", "fünf"};
    std::ofstream sources(folder_ / "train.en"), targets(folder_ / "train.de"),
        backwards(folder_ / "train.ed"), links(folder_ / "train.links");
    const Draws draws = {.seed = 5};
    for (std::uint64_t line = 0; line < 600; ++line) {
      const std::uint32_t length = 1 + draws.below(8 * line, 4);
      std::string source, target, backward, link;
      for (std::uint32_t i = 0; i < length; ++i) {
        const std::uint32_t word = draws.below(8 * line + 1 + i, 5);
        const std::string space = i == 0 ? "" : " ";
        source += space + from[word];
        target += space + to[word];
        backward = to[word] + space + backward;
        link += space + concat(i, "-", i);
      }
      sources << source << "\n";
      targets << target << "\n";
      backwards << backward << "\n";
      links << link << "\n";
    }
  }
};

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace fovea
