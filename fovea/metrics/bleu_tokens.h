/// How BLEU cuts lines into tokens. Scores compare only between equal tokenizers, so these agree
/// with sacreBLEU's of the same names, its oddities included.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

enum class BleuTokenizer {
  thirteen_a,  // of NIST's mteval-v13a, used by WMT: splits off punctuation
  none,        // at white space: for text that is tokenized already
  character,   // each character that is not white space
  chinese,     // each Chinese character or mark; the rest as 13a does
};
constexpr std::array<std::string_view, 4> names_of(BleuTokenizer) {
  return {"13a", "none", "char", "zh"};
}

std::vector<std::string> bleu_tokens(std::string_view line, BleuTokenizer tokenizer);

}  // namespace fovea
