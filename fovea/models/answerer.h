/// Answers questions from texts: which of several sentences answers (Yang et al. 2015, WikiQA), or
/// which span of a passage (Rajpurkar et al. 2016), or that none does (Rajpurkar et al. 2018).
///
///   h = encoder(<s> question </s> text)                                       (N, W)
///   choice:  score = w . tanh(W_p [mean h; largest h; overlap] + b_p)         of a pair
///            P(sentence) = softmax of the scores of a question's sentences
///   span:    P(begin = i) = softmax_i(w_b . h_i),  P(end = i) likewise, over the rows of the text
///            and the first row, which stands for no answer (Devlin et al. 2019, 4.3)
///
/// Letters: N rows, P pairs, W width, V vocabulary.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "fovea/models/text_encoder.h"
#include "fovea/nn/linear.h"

namespace fovea {

enum class AnswerKind { choice, span };
constexpr std::array<std::string_view, 2> names_of(AnswerKind) { return {"choice", "span"}; }

struct AnswererConfig {
  AnswerKind kind = AnswerKind::choice;
  TextEncoderConfig encoder = {};
  /// A Transformer is also told of each token whether it stands on the other side, too: what models
  /// from random weights find hard to see (Chen et al. 2017, 3.2: exact match).
  bool match = true;
  bool told = true;  // a Transformer is told whether a token is of the question or of the text
  /// choice: how much of the question a sentence repeats (Severyn and Moschitti 2015, 3.2.3).
  bool overlap = true;
  Dim hidden = 64;  // choice: of W_p
  double dropout = 0.1;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("kind", kind);
    visit("encoder", encoder);
    visit("match", match);
    visit("told", told);
    visit("overlap", overlap);
    visit("hidden", hidden);
    visit("dropout", dropout);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const AnswererConfig& config);

/// What stands around questions and texts, and which id stands for words that are not known.
struct AnswerMarks {
  Ids before = {1}, between = {2}, behind = {};
  std::int32_t text_kind = 1;  // of the text and what is behind it; the question's is 0
  std::int32_t unknown = 0;

  Dim count() const { return std::ssize(before) + std::ssize(between) + std::ssize(behind); }
};

/// Ids, lent.
struct AnswerPair {
  std::span<const std::int32_t> question, text;
};

/// P(begin) and P(end), one a row: for each pair no answer first, then the rows of its text.
struct SpanPointers {
  Var begin, end;  // (rows, 1)
  Segments segments;
};

struct Answerer {
  AnswererConfig config;
  std::unique_ptr<TextEncoder> encoder;
  Linear out;                    // span: (2, W); choice: (1, hidden)
  std::optional<Linear> merged;  // choice: W_p
  Var rarity;  // choice with overlap: (V), learned by counting: log(sentences / with the word)

  AnswerMarks marks;

  Answerer(Scope s, const AnswererConfig& config, AnswerMarks marks = {});

  TextRows rows_of(std::span<const AnswerPair> pairs) const;

  Var scores(std::span<const AnswerPair> pairs, const Pass& pass) const;  // (P, 1)
  SpanPointers point(std::span<const AnswerPair> pairs, const Pass& pass) const;

  /// How much of the question the text repeats: the share of its words, the same weighed by rarity,
  /// the share of its pairs of neighbours; and the share of the text's words. (P, 4), a constant.
  Tensor overlap(std::span<const AnswerPair> pairs) const;
  /// Learns `rarity`.
  void count(std::span<const Ids> sentences);
};

}  // namespace fovea
