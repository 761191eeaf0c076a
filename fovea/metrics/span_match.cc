#include "fovea/metrics/span_match.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <map>
#include <vector>

#include "fovea/metrics/characters.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

bool is_ascii_mark(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

/// As SQuAD's script has it: \w of Python, to which all numbers belong, "²" and "½" among them.
bool of_word(UChar32 c) { return u_isalnum(c) != 0 || (U_GET_GC_MASK(c) & U_GC_N_MASK) != 0; }

/// Blanks stand for articles, also for those that touch a mark which is none of ASCII's.
std::string without_articles(std::string_view text) {
  std::u32string kept, word;
  const auto end_word = [&] {
    kept += word == U"a" || word == U"an" || word == U"the" ? U" " : word;
    word.clear();
  };
  for (const char32_t c : code_points(text)) {
    if (of_word(static_cast<UChar32>(c))) {
      word += c;
    } else {
      end_word();
      kept += c;
    }
  }
  end_word();
  return utf8_of(kept);
}

std::vector<std::string> plain_words(std::string_view text) {
  std::string bare;
  for (const char c : metrics::lower_case(text)) {
    if (!is_ascii_mark(c)) bare += c;
  }
  return metrics::words(without_articles(bare));
}

}  // namespace

std::string plain_answer(std::string_view text) {
  std::string plain;
  for (const std::string& word : plain_words(text)) plain += (plain.empty() ? "" : " ") + word;
  return plain;
}

double word_f1(std::string_view answer, std::string_view right) {
  const std::vector<std::string> given = plain_words(answer), wanted = plain_words(right);
  if (given.empty() || wanted.empty()) return given.empty() && wanted.empty() ? 1 : 0;
  std::map<std::string, Dim> left;
  for (const std::string& word : wanted) ++left[word];
  double common = 0;
  for (const std::string& word : given) {
    const auto at = left.find(word);
    if (at != left.end() && at->second-- > 0) ++common;
  }
  return 2 * common / static_cast<double>(given.size() + wanted.size());
}

void SpanScores::add(std::string_view answer, std::span<const std::string> right) {
  std::vector<std::string> answers;
  for (const std::string& one : right) {
    if (!plain_answer(one).empty()) answers.push_back(one);
  }
  Mean& mean = answers.empty() ? without_ : with_;
  if (answers.empty()) answers.emplace_back();
  double exact = 0, f1 = 0;
  for (const std::string& one : answers) {
    exact = std::max(exact, plain_answer(answer) == plain_answer(one) ? 1.0 : 0.0);
    f1 = std::max(f1, word_f1(answer, one));
  }
  mean.exact += exact;
  mean.f1 += f1;
  ++mean.questions;
}

SpanScores::Mean SpanScores::all() const {
  return {with_.exact + without_.exact, with_.f1 + without_.f1,
          with_.questions + without_.questions};
}

}  // namespace fovea
