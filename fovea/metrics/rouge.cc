#include "fovea/metrics/rouge.h"

#include <algorithm>
#include <cstdio>

#include "fovea/base/check.h"
#include "fovea/metrics/characters.h"
#include "fovea/metrics/ngrams.h"

namespace fovea {
namespace {

using Tokens = std::vector<std::string>;

/// C[i][j] = C[i-1][j-1] + 1 if a_i = b_j, else max(C[i-1][j], C[i][j-1]): a row of it at a time.
Dim longest_common(const Tokens& a, const Tokens& b) {
  std::vector<Dim> row(b.size() + 1, 0);
  for (const std::string& token : a) {
    Dim diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const Dim above = row[j + 1];
      row[j + 1] = token == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

Rouge scored(RougeKind kind, Dim matches, std::size_t of_hypothesis, std::size_t of_reference) {
  Rouge out{.kind = kind};
  if (matches == 0) return out;
  out.precision = 100.0 * static_cast<double>(matches) / static_cast<double>(of_hypothesis);
  out.recall = 100.0 * static_cast<double>(matches) / static_cast<double>(of_reference);
  out.f1 = 2 * out.precision * out.recall / (out.precision + out.recall);
  return out;
}

Rouge compare(RougeKind kind, const Tokens& hypothesis, const Tokens& reference) {
  if (kind == RougeKind::longest) {
    return scored(kind, longest_common(hypothesis, reference), hypothesis.size(), reference.size());
  }
  const std::size_t order = kind == RougeKind::one ? 1 : 2;
  const auto ours = metrics::ngrams(std::span<const std::string>(hypothesis), order);
  const auto theirs = metrics::ngrams(std::span<const std::string>(reference), order);
  return scored(kind, metrics::in_common(ours, theirs), ours.size(), theirs.size());
}

}  // namespace

std::vector<std::string> rouge_tokens(std::string_view text) {
  Tokens tokens;
  bool inside = false;
  for (const char c : metrics::lower_case(text)) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (kept && !inside) tokens.emplace_back();
    if (kept) tokens.back() += c;
    inside = kept;
  }
  return tokens;
}

std::string Rouge::text() const {
  constexpr std::array<const char*, 3> names = {"ROUGE-1", "ROUGE-2", "ROUGE-L"};
  std::array<char, 96> line;
  std::snprintf(line.data(), line.size(), "%s = %.2f (P = %.2f R = %.2f)",
                names[static_cast<std::size_t>(kind)], f1, precision, recall);
  return line.data();
}

Rouge sentence_rouge(RougeKind kind, const std::string& hypothesis,
                     const std::vector<std::string>& references) {
  FOVEA_CHECK(!references.empty(), "rouge: a line has no reference");
  const Tokens tokens = rouge_tokens(hypothesis);
  Rouge best{.kind = kind, .f1 = -1};
  for (const std::string& reference : references) {
    const Rouge found = compare(kind, tokens, rouge_tokens(reference));
    if (found.f1 > best.f1) best = found;
  }
  return best;
}

Rouge rouge(RougeKind kind, std::span<const std::string> hypotheses,
            std::span<const std::vector<std::string>> references) {
  FOVEA_CHECK(hypotheses.size() == references.size(), "rouge: ", hypotheses.size(),
              " hypotheses, but references of ", references.size(), " lines");
  Rouge mean{.kind = kind};
  for (std::size_t line = 0; line < hypotheses.size(); ++line) {
    const Rouge found = sentence_rouge(kind, hypotheses[line], references[line]);
    mean.precision += found.precision;
    mean.recall += found.recall;
    mean.f1 += found.f1;
  }
  if (hypotheses.empty()) return mean;
  const auto lines = static_cast<double>(hypotheses.size());
  mean.precision /= lines;
  mean.recall /= lines;
  mean.f1 /= lines;
  return mean;
}

}  // namespace fovea
