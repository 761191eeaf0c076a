#include "fovea/tasks/text_evaluation.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <unordered_map>

#include "fovea/config/config.h"
#include "fovea/metrics/bleu.h"
#include "fovea/metrics/chrf.h"
#include "fovea/metrics/error_rate.h"
#include "fovea/metrics/rouge.h"
#include "fovea/text/moses.h"
#include "fovea/text/normalise.h"

namespace fovea {
namespace {

using Answers = std::vector<std::vector<std::string>>;

std::vector<std::string> tokens_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> tokens;
  for (std::string token; in >> token;) tokens.push_back(token);
  return tokens;
}

PronunciationErrors errors_of(std::span<const std::string> hypotheses,
                              std::span<const std::vector<std::string>> references) {
  PronunciationErrors errors;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    Answers answers;
    for (const std::string& reference : references[i]) answers.push_back(tokens_of(reference));
    const std::vector<std::string> given = tokens_of(hypotheses[i]);
    errors.add(std::span<const std::string>(given),
               std::span<const std::vector<std::string>>(answers));
  }
  return errors;
}

Report exact_report(std::span<const std::string> hypotheses,
                    std::span<const std::vector<std::string>> references) {
  Dim right = 0;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    right += std::any_of(references[i].begin(), references[i].end(),
                         [&](const std::string& one) { return one == hypotheses[i]; });
  }
  return share_report("exact", right, static_cast<Dim>(hypotheses.size()),
                      "lines; any answer is right");
}

Report symbols_report(std::span<const std::string> hypotheses,
                      std::span<const std::vector<std::string>> references) {
  Dim right = 0, all = 0;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const auto given = tokens_of(hypotheses[i]), wanted = tokens_of(references[i].front());
    all += static_cast<Dim>(std::max(given.size(), wanted.size()));
    for (std::size_t t = 0; t < std::min(given.size(), wanted.size()); ++t) {
      right += given[t] == wanted[t];
    }
  }
  return share_report("symbols", right, all, "each in its place; of those that either line has");
}

/// Of a dictionary, that has several lines for a word with several right answers.
bool of_questions(TextMetric metric) {
  return metric == TextMetric::wer || metric == TextMetric::per;
}

/// Each source once, with what was said to it first and all that would be right.
struct Questions {
  std::vector<std::string> hypotheses;
  Answers references;
};

Questions questions_of(std::span<const std::string> sources,
                       std::span<const std::string> hypotheses,
                       std::span<const std::vector<std::string>> references) {
  Questions all;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto [at, fresh] = places.emplace(sources[i], all.hypotheses.size());
    if (fresh) {
      all.hypotheses.push_back(hypotheses[i]);
      all.references.emplace_back();
    }
    auto& answers = all.references[at->second];
    answers.insert(answers.end(), references[i].begin(), references[i].end());
  }
  return all;
}

std::string percent(const char* name, double rate, Dim wrong, Dim all, const char* what) {
  return formatted("%s = %.2f %% (%lld of %lld %s)", name, 100 * rate,
                   static_cast<long long>(wrong), static_cast<long long>(all), what);
}

/// Both sides as Moses tokenises them, and in small letters if so wanted.
std::string moses(const std::string& line, const TextEvaluation& config) {
  const std::string tokens = moses_tokenize(line, config.language);
  return config.lowercase ? normalise(tokens, TextForm::none, true) : tokens;
}

Report rouge_report(RougeKind kind, std::span<const std::string> hypotheses,
                    std::span<const std::vector<std::string>> references) {
  const Rouge found = rouge(kind, hypotheses, references);
  return {
      {std::string(name_of(kind)), found.f1, true}, found.text(), "F1|case:lc|tok:a-z0-9|stem:no"};
}

Report report(TextMetric metric, std::span<const std::string> hypotheses,
              std::span<const std::vector<std::string>> references, const TextEvaluation& config) {
  Dim most = 0;
  for (const auto& some : references) most = std::max(most, static_cast<Dim>(some.size()));
  const std::string name(name_of(metric));
  switch (metric) {
    case TextMetric::bleu: {
      const BleuConfig with{.lowercase = config.lowercase};
      const Bleu found = bleu(hypotheses, references, with);
      return {{name, found.score, true}, found.text(), signature(with, most)};
    }
    case TextMetric::multi_bleu: {
      std::vector<std::string> tokenised;
      Answers answers(references.size());
      for (const std::string& line : hypotheses) tokenised.push_back(moses(line, config));
      for (std::size_t i = 0; i < answers.size(); ++i) {
        for (const std::string& line : references[i]) answers[i].push_back(moses(line, config));
      }
      const Bleu found = multi_bleu(tokenised, answers);
      return {{name, found.score, true},
              multi_bleu_text(found),
              concat("multi-bleu|case:", config.lowercase ? "lc" : "mixed", "|tok:moses-",
                     name_of(config.language))};
    }
    case TextMetric::chrf: {
      const ChrfConfig with{.lowercase = config.lowercase};
      const Chrf found = chrf(hypotheses, references, with);
      return {{name, found.score, true}, found.text(), signature(with, most)};
    }
    case TextMetric::wer: {
      const PronunciationErrors e = errors_of(hypotheses, references);
      return {{name, 100 * e.word_error_rate(), false},
              percent("WER", e.word_error_rate(), e.wrong_words, e.words, "words"),
              "any answer is right"};
    }
    case TextMetric::per: {
      const PronunciationErrors e = errors_of(hypotheses, references);
      return {
          {name, 100 * e.phoneme_error_rate(), false},
          percent("PER", e.phoneme_error_rate(), e.edits.total(), e.reference_phonemes, "sounds"),
          "against the nearest answer"};
    }
    case TextMetric::rouge_1:
      return rouge_report(RougeKind::one, hypotheses, references);
    case TextMetric::rouge_2:
      return rouge_report(RougeKind::two, hypotheses, references);
    case TextMetric::rouge_l:
      return rouge_report(RougeKind::longest, hypotheses, references);
    case TextMetric::exact:
      return exact_report(hypotheses, references);
    case TextMetric::symbols:
      return symbols_report(hypotheses, references);
  }
  fail("evaluate: no such metric");
}

}  // namespace

std::vector<Report> evaluate(std::span<const std::string> sources,
                             std::span<const std::string> hypotheses,
                             std::span<const std::vector<std::string>> references,
                             const TextEvaluation& config) {
  FOVEA_CHECK(hypotheses.size() == references.size() && hypotheses.size() == sources.size(),
              "evaluate: ", hypotheses.size(), " translations of ", sources.size(),
              " sources, but references of ", references.size(), " lines");
  std::vector<Report> reports;
  for (const TextMetric metric : config.metrics) {
    if (of_questions(metric)) {
      const Questions asked = questions_of(sources, hypotheses, references);
      reports.push_back(report(metric, asked.hypotheses, asked.references, config));
    } else {
      reports.push_back(report(metric, hypotheses, references, config));
    }
  }
  return reports;
}

std::vector<Report> evaluate_by_length(std::span<const std::string> sources,
                                       std::span<const std::string> hypotheses,
                                       std::span<const std::vector<std::string>> references,
                                       std::span<const Dim> lengths, const TextEvaluation& config) {
  FOVEA_CHECK(std::is_sorted(lengths.begin(), lengths.end()),
              "evaluate: lengths of sources rise: 8 12 16, say");
  struct Group {
    std::vector<std::string> sources, hypotheses;
    std::vector<std::vector<std::string>> references;
  };
  std::vector<Group> groups(lengths.size() + 1);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::istringstream words(sources[i]);
    const Dim count = std::distance(std::istream_iterator<std::string>(words), {});
    const auto at = std::lower_bound(lengths.begin(), lengths.end(), count) - lengths.begin();
    Group& group = groups[static_cast<std::size_t>(at)];
    group.sources.push_back(sources[i]);
    group.hypotheses.push_back(hypotheses[i]);
    group.references.push_back(references[i]);
  }
  std::vector<Report> all;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].hypotheses.empty()) continue;
    const Dim first = g == 0 ? 0 : lengths[g - 1] + 1;
    const std::string words = g < lengths.size() ? concat(first, " to ", lengths[g], " words")
                                                 : concat(first, " words and more");
    for (Report& report :
         evaluate(groups[g].sources, groups[g].hypotheses, groups[g].references, config)) {
      report.figure.name += ", " + words;
      report.text += concat("  ", words, ", ", groups[g].hypotheses.size(), " lines");
      all.push_back(std::move(report));
    }
  }
  return all;
}

bool asks_once(const TextEvaluation& config) {
  return !config.metrics.empty() &&
         std::all_of(config.metrics.begin(), config.metrics.end(), of_questions);
}

}  // namespace fovea
