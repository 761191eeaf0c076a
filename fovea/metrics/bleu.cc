#include "fovea/metrics/bleu.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "fovea/base/check.h"
#include "fovea/metrics/characters.h"
#include "fovea/metrics/ngrams.h"

namespace fovea {
namespace {

using metrics::in_common, metrics::lower_case, metrics::most_of, metrics::Ngrams;

using Tokens = std::vector<std::string>;
using Tokenize = std::function<Tokens(const std::string&)>;

constexpr double floor_value = 0.1, add_value = 1;

/// All that BLEU needs to know of a corpus: sums over its lines.
struct Counts {
  std::array<Dim, 4> matches = {}, ngrams = {};
  Dim hypothesis_length = 0, reference_length = 0;

  void add(const Tokens& hypothesis, const std::vector<Tokens>& references) {
    for (std::size_t n = 0; n < 4; ++n) {
      const auto found = metrics::ngrams(std::span(hypothesis), n + 1);
      Ngrams<std::string> allowed;
      for (const Tokens& reference : references) {
        allowed = most_of(allowed, metrics::ngrams(std::span(reference), n + 1));
      }
      ngrams[n] += static_cast<Dim>(found.size());
      matches[n] += in_common(found, allowed);
    }
    hypothesis_length += static_cast<Dim>(hypothesis.size());
    reference_length += nearest_length(static_cast<Dim>(hypothesis.size()), references);
  }

  /// The shorter of two that are equally near.
  static Dim nearest_length(Dim length, const std::vector<Tokens>& references) {
    Dim nearest = static_cast<Dim>(references.front().size());
    for (const Tokens& reference : references) {
      const auto other = static_cast<Dim>(reference.size());
      const Dim gain = std::abs(length - nearest) - std::abs(length - other);
      if (gain > 0 || (gain == 0 && other < nearest)) nearest = other;
    }
    return nearest;
  }
};

Counts count(std::span<const std::string> hypotheses,
             std::span<const std::vector<std::string>> references, const Tokenize& tokenize) {
  FOVEA_CHECK(hypotheses.size() == references.size(), "bleu: ", hypotheses.size(),
              " hypotheses, but references of ", references.size(), " lines");
  Counts counts;
  std::vector<Tokens> cut;
  for (std::size_t line = 0; line < hypotheses.size(); ++line) {
    FOVEA_CHECK(!references[line].empty(), "bleu: line ", line + 1, " has no reference");
    cut.clear();
    for (const std::string& reference : references[line]) cut.push_back(tokenize(reference));
    counts.add(tokenize(hypotheses[line]), cut);
  }
  return counts;
}

/// p_n in percent. `halvings` counts the orders that had no match so far.
double precision(double matches, double ngrams, BleuSmoothing smooth, double& halvings) {
  if (matches > 0) return 100 * matches / ngrams;
  if (smooth == BleuSmoothing::exp) return 100 / (std::exp2(++halvings) * ngrams);
  if (smooth == BleuSmoothing::floor) return 100 * floor_value / ngrams;
  return 0;
}

Bleu score(const Counts& counts, BleuSmoothing smooth, bool effective_order) {
  Bleu out{.hypothesis_length = counts.hypothesis_length,
           .reference_length = counts.reference_length};
  if (out.hypothesis_length < out.reference_length) {
    const double ratio =
        static_cast<double>(out.reference_length) / static_cast<double>(out.hypothesis_length);
    out.brevity_penalty = out.hypothesis_length > 0 ? std::exp(1 - ratio) : 0;
  }
  if (counts.matches[0] == 0) return out;  // a longer match would hold a shorter one
  double halvings = 0;
  std::size_t order = 4;
  for (std::size_t n = 0; n < 4; ++n) {
    const double more = smooth == BleuSmoothing::add_k && n > 0 ? add_value : 0;
    const double matches = static_cast<double>(counts.matches[n]) + more;
    const double ngrams = static_cast<double>(counts.ngrams[n]) + more;
    if (ngrams == 0) break;
    if (effective_order) order = n + 1;
    out.precisions[n] = precision(matches, ngrams, smooth, halvings);
  }
  double logs = 0;
  for (std::size_t n = 0; n < order; ++n) logs += std::log(out.precisions[n]);
  out.score = out.brevity_penalty * std::exp(logs / static_cast<double>(order));
  return out;
}

/// `layout` holds places for the score, four precisions, the penalty, the ratio and two lengths.
std::string formatted(const Bleu& b, const char* layout) {
  const double ratio = b.reference_length == 0 ? 0
                                               : static_cast<double>(b.hypothesis_length) /
                                                     static_cast<double>(b.reference_length);
  std::array<char, 256> line;
  std::snprintf(line.data(), line.size(), layout, b.score, b.precisions[0], b.precisions[1],
                b.precisions[2], b.precisions[3], b.brevity_penalty, ratio,
                static_cast<long long>(b.hypothesis_length),
                static_cast<long long>(b.reference_length));
  return line.data();
}

Tokens ascii_words(const std::string& line) {
  constexpr std::string_view space = " \t\n\v\f\r";
  Tokens out;
  for (std::size_t begin = 0; (begin = line.find_first_not_of(space, begin)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(space, begin), line.size());
    out.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return out;
}

}  // namespace

std::string Bleu::text() const {
  return formatted(*this,
                   "BLEU = %.2f %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %lld "
                   "ref_len = %lld)");
}

Bleu bleu(std::span<const std::string> hypotheses,
          std::span<const std::vector<std::string>> references, const BleuConfig& config) {
  const auto tokenize = [&](const std::string& line) {
    return bleu_tokens(config.lowercase ? lower_case(line) : line, config.tokenize);
  };
  return score(count(hypotheses, references, tokenize), config.smooth, config.effective_order);
}

Bleu sentence_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                   BleuConfig config) {
  config.effective_order = true;
  return bleu({&hypothesis, 1}, {&references, 1}, config);
}

std::string signature(const BleuConfig& config, Dim references_per_line) {
  std::string smooth(names_of(config.smooth)[static_cast<std::size_t>(config.smooth)]);
  if (config.smooth == BleuSmoothing::floor) smooth += "[0.10]";
  if (config.smooth == BleuSmoothing::add_k) smooth += "[1.00]";
  return concat("nrefs:", references_per_line, "|case:", config.lowercase ? "lc" : "mixed",
                "|eff:", config.effective_order ? "yes" : "no",
                "|tok:", names_of(config.tokenize)[static_cast<std::size_t>(config.tokenize)],
                "|smooth:", smooth, "|version:fovea-" FOVEA_VERSION);
}

Bleu multi_bleu(std::span<const std::string> hypotheses,
                std::span<const std::vector<std::string>> references) {
  return score(count(hypotheses, references, ascii_words), BleuSmoothing::none, false);
}

std::string multi_bleu_text(const Bleu& bleu) {
  return formatted(bleu,
                   "BLEU = %.2f, %.1f/%.1f/%.1f/%.1f (BP=%.3f, ratio=%.3f, hyp_len=%lld, "
                   "ref_len=%lld)");
}

}  // namespace fovea
