// A small Transformer learns to pronounce English words, in about two minutes, and shows which
// letters each sound looked at.
//
//   pronounce [--seconds 120 | --steps N] [--dictionary FILE] [--page FILE] [word ...]
//
// Everything but the moment at which time is up follows from the seed: with --steps, two runs are
// equal bit for bit, on any number of threads.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/base/threads.h"
#include "pronounce/heat_map.h"
#include "pronounce/training.h"

namespace pronounce {
namespace {

struct Options {
  std::string program;
  double seconds = 120;
  std::int64_t steps = 0;
  std::string dictionary = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict";
  std::string page = "attention.html";
  std::vector<std::string> words;
};

double number(const std::string& option, const std::string& text) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
  }
  FOVEA_CHECK(used == text.size() && value > 0 && value < 1e9, option,
              ": expected a number above 0, found '", text, "'");
  return value;
}

Options parse(const std::vector<std::string>& arguments) {
  Options options;
  options.program = arguments[0];
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (!name.starts_with("--")) {
      std::string word = name;
      for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      FOVEA_CHECK(!word.empty(), "a word without letters cannot be pronounced");
      options.words.push_back(word);
      continue;
    }
    FOVEA_CHECK(
        name == "--seconds" || name == "--steps" || name == "--dictionary" || name == "--page",
        name, ": no such option; there are --seconds, --steps, --dictionary and --page");
    FOVEA_CHECK(i + 1 < arguments.size(), name, ": a value is missing");
    const std::string& value = arguments[++i];
    if (name == "--seconds") options.seconds = number(name, value);
    if (name == "--steps")
      options.steps = static_cast<std::int64_t>(std::ceil(number(name, value)));
    if (name == "--dictionary") options.dictionary = value;
    if (name == "--page") options.page = value;
  }
  return options;
}

/// Some that CMUdict does not have.
const std::vector<std::string> new_words = {"fovea",     "bahdanau",   "transformerish", "saccade",
                                            "tokenizer", "perceptron", "unpadded",       "vaswani"};

const std::string page_title = "Which letters each sound looked at";

const char* origin(const Word* known) {
  if (!known) return "not in the dictionary";
  return known->held_out ? "held out" : "trained on";
}

HeatMap map_of(const Model& model, const Dictionary& dictionary, const std::string& word,
               const Ids& sounds) {
  HeatMap map;
  map.title = word + ": " + dictionary.text(sounds);
  for (char letter : word) map.top.emplace_back(1, letter);
  for (std::int32_t id : sounds) map.left.push_back(dictionary.sound(id));
  map.weights = attention_of(model, dictionary.letters_of(word), sounds);
  return map;
}

void show(const Model& model, const Dictionary& dictionary, const std::vector<std::string>& words,
          const std::string& page) {
  std::vector<Ids> letters;
  for (const std::string& word : words) letters.push_back(dictionary.letters_of(word));
  const std::vector<Ids> spoken = pronounce_greedily(model, letters);
  std::vector<HeatMap> maps;
  std::printf("\n");
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::printf("  %-16s %-34s %s\n", words[i].c_str(), dictionary.text(spoken[i]).c_str(),
                origin(dictionary.find(words[i])));
    maps.push_back(map_of(model, dictionary, words[i], spoken[i]));
  }
  std::printf("\n%s (last layer, mean of %d heads):\n", page_title.c_str(),
              static_cast<int>(model.config.heads));
  for (std::size_t i = 0; i < std::min<std::size_t>(maps.size(), 2); ++i) {
    std::printf("\n%s", as_text(maps[i]).c_str());
  }
  write_page(page, page_title, maps);
}

void run(const Options& options) {
  const Dictionary dictionary(options.dictionary);
  const std::vector<std::string>& words = options.words.empty() ? new_words : options.words;
  // What cannot be done is said now, not after the training.
  for (const std::string& word : words) dictionary.letters_of(word);
  write_page(options.page, page_title, {});

  fovea::Params params(/*seed=*/1);
  const Model model(params.scope(),
                    {.letters = dictionary.letter_count(), .sounds = dictionary.sound_count()});
  std::printf("%zu words; a Transformer of %lld parameters; %d threads\n",
              dictionary.words().size(), static_cast<long long>(params.size()),
              fovea::thread_count());
  Progress progress(options.seconds, options.steps);
  train(model, params, dictionary, {}, progress);
  std::printf("%lld steps, %lld sounds in %.0f s\n", static_cast<long long>(progress.step()),
              static_cast<long long>(progress.sounds()), progress.elapsed());

  params.pack();
  const ErrorRates rates = test(model, dictionary);
  std::printf("%zu words it has never seen: %.1f%% of words and %.1f%% of sounds are wrong\n",
              rates.words, 100 * rates.of_words, 100 * rates.of_sounds);
  show(model, dictionary, words, options.page);
  std::printf(
      "\nAll maps are in %s.\n"
      "Try other words:        %s colonel onomatopoeia\n"
      "Try a longer training:  %s --seconds 600\n"
      "Read how it is made:    examples/attention.cc, then examples/pronounce/model.cc\n",
      options.page.c_str(), options.program.c_str(), options.program.c_str());
}

}  // namespace
}  // namespace pronounce

int main(int count, char** values) {
  try {
    pronounce::run(pronounce::parse({values, values + count}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pronounce: %s\n", error.what());
    return 1;
  }
}
