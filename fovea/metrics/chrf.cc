#include "fovea/metrics/chrf.h"

#include <array>
#include <cstdio>

#include "fovea/base/check.h"
#include "fovea/metrics/characters.h"
#include "fovea/metrics/ngrams.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

using metrics::in_common, metrics::ends_word, metrics::lower_case, metrics::Ngrams, metrics::ngrams;

constexpr std::size_t char_order = 6;
constexpr double beta = 2;

/// All that chrF needs to know of one order of n-grams.
struct NgramCounts {
  Dim hypothesis = 0, reference = 0, matches = 0;
};
using Orders = std::vector<NgramCounts>;  // characters first, then words

/// A mark at the end of a word stands alone, or else one at its beginning: never both.
std::vector<std::string> words_and_marks(std::string_view line) {
  const auto mark = [](char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
  };
  std::vector<std::string> out;
  for (const std::string& word : metrics::words(line)) {
    if (word.size() > 1 && mark(word.back())) {
      out.push_back(word.substr(0, word.size() - 1));
      out.push_back(word.substr(word.size() - 1));
    } else if (word.size() > 1 && mark(word.front())) {
      out.push_back(word.substr(0, 1));
      out.push_back(word.substr(1));
    } else {
      out.push_back(word);
    }
  }
  return out;
}

/// The n-grams of a line, which they point into: it must stay where it is.
class Line {
 public:
  Line(const std::string& text, const ChrfConfig& config) {
    const std::string line = config.lowercase ? lower_case(text) : text;
    for (const char32_t c : code_points(line)) {
      if (!ends_word(c)) characters_ += c;
    }
    for (std::size_t n = 1; n <= char_order; ++n) {
      of_characters.push_back(
          ngrams(std::span<const char32_t>(characters_.data(), characters_.size()), n));
    }
    if (config.word_order == 0) return;
    words_ = words_and_marks(line);
    for (std::size_t n = 1; n <= static_cast<std::size_t>(config.word_order); ++n) {
      of_words.push_back(ngrams(std::span<const std::string>(words_), n));
    }
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

 private:
  std::u32string characters_;
  std::vector<std::string> words_;

 public:
  std::vector<Ngrams<char32_t>> of_characters;
  std::vector<Ngrams<std::string>> of_words;
};

template <class Token>
void compare(const std::vector<Ngrams<Token>>& hypothesis,
             const std::vector<Ngrams<Token>>& reference, Orders& out) {
  for (std::size_t n = 0; n < hypothesis.size(); ++n) {
    // Where the reference is too short for an order, it cannot say anything against the hypothesis.
    out.push_back({.hypothesis = reference[n].empty() ? 0 : static_cast<Dim>(hypothesis[n].size()),
                   .reference = static_cast<Dim>(reference[n].size()),
                   .matches = in_common(hypothesis[n], reference[n])});
  }
}

/// Orders that one side lacks do not count.
double f_score(const Orders& orders) {
  double precision = 0, recall = 0, effective = 0;
  for (const NgramCounts& n : orders) {
    if (n.hypothesis == 0 || n.reference == 0) continue;
    precision += static_cast<double>(n.matches) / static_cast<double>(n.hypothesis);
    recall += static_cast<double>(n.matches) / static_cast<double>(n.reference);
    ++effective;
  }
  if (precision + recall == 0) return 0;
  precision /= effective;
  recall /= effective;
  return 100 * (1 + beta * beta) * precision * recall / (beta * beta * precision + recall);
}

Orders best_match(const std::string& hypothesis, const std::vector<std::string>& references,
                  const ChrfConfig& config) {
  const Line line(hypothesis, config);
  Orders best;
  double best_score = -1;
  for (const std::string& reference : references) {
    const Line other(reference, config);
    Orders orders;
    compare(line.of_characters, other.of_characters, orders);
    compare(line.of_words, other.of_words, orders);
    if (const double score = f_score(orders); score > best_score) {
      best_score = score;
      best = std::move(orders);
    }
  }
  return best;
}

}  // namespace

std::string Chrf::text() const {
  std::array<char, 32> number;
  std::snprintf(number.data(), number.size(), "%.2f", score);
  return concat("chrF2", std::string(static_cast<std::size_t>(word_order), '+'), " = ",
                number.data());
}

Chrf chrf(std::span<const std::string> hypotheses,
          std::span<const std::vector<std::string>> references, const ChrfConfig& config) {
  FOVEA_CHECK(hypotheses.size() == references.size(), "chrf: ", hypotheses.size(),
              " hypotheses, but references of ", references.size(), " lines");
  FOVEA_CHECK(config.word_order >= 0, "chrf: word_order is ", config.word_order,
              "; 0 is chrF, 2 is chrF++");
  Orders sums(char_order + static_cast<std::size_t>(config.word_order));
  for (std::size_t line = 0; line < hypotheses.size(); ++line) {
    FOVEA_CHECK(!references[line].empty(), "chrf: line ", line + 1, " has no reference");
    const Orders orders = best_match(hypotheses[line], references[line], config);
    for (std::size_t n = 0; n < sums.size(); ++n) {
      sums[n].hypothesis += orders[n].hypothesis;
      sums[n].reference += orders[n].reference;
      sums[n].matches += orders[n].matches;
    }
  }
  return {.score = f_score(sums), .word_order = config.word_order};
}

Chrf sentence_chrf(const std::string& hypothesis, const std::vector<std::string>& references,
                   const ChrfConfig& config) {
  return chrf({&hypothesis, 1}, {&references, 1}, config);
}

std::string signature(const ChrfConfig& config, Dim references_per_line) {
  return concat("nrefs:", references_per_line, "|case:", config.lowercase ? "lc" : "mixed",
                "|eff:yes|nc:", char_order, "|nw:", config.word_order,
                "|space:no|version:fovea-" FOVEA_VERSION);
}

}  // namespace fovea
