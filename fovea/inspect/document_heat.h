/// Weights over a text: its words, and its sentences if a model weighs those too.
///
///   DocumentHeat heat{.title = "why positive", .sentences = {{1, {"so", "good"}, {0.1, 0.9}}}};
///   std::cout << terminal_document(heat);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/inspect/terminal.h"

namespace fovea {

struct DocumentHeat {
  struct Sentence {
    float weight = 1;  // among the sentences
    std::vector<std::string> words;
    std::vector<float> weights;  // among the words of the sentence
  };
  std::string title;
  std::vector<Sentence> sentences;

  /// How strongly each word is shaded, the strongest of all by 1: sqrt(weight of the sentence)
  /// times the weight of the word, so that a sentence that counts for little still shows what it
  /// said. Yang et al. 2016, 3.5.
  std::vector<std::vector<float>> shades() const;
  float largest_sentence() const;
  /// Throws unless each word has a weight.
  void check() const;
};

/// The text with its words shaded, and a bar for the weight of each sentence if there are several.
/// Without colours the shade follows its word.
std::string terminal_document(const DocumentHeat& heat, const TerminalStyle& style = {});
/// The same as a stand-alone SVG.
std::string svg_document(const DocumentHeat& heat);

}  // namespace fovea
