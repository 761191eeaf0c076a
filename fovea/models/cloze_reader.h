/// Reads a document and a question with a blank, and points at the words of the document that would
/// fill it. The probability of a word is the sum over the places where it stands:
///
///   P(w | document, question) = sum of s_i over the places i of w,   loss = -log P(answer)
///
/// Letters: D rows of documents, Q rows of questions, S examples, H hidden units a direction.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "fovea/nn/embedding.h"
#include "fovea/nn/recurrent.h"
#include "fovea/tensor/sequences.h"

namespace fovea {

/// How s comes about; f_i are the document's rows, g_j the question's, each a bidirectional GRU's.
enum class ReaderFamily {
  /// s = softmax over i of f_i . g, where g is what both directions end with on the question.
  /// Kadlec et al. 2016, eqs. 1 and 2.
  attention_sum,
  /// M_ij = f_i . g_j                    (eq. 4 of Cui et al. 2017)
  /// alpha_j = softmax over i of M_ij    (5, 6): where each word of the question looks
  /// beta_i = softmax over j of M_ij     (7): what each word of the document thinks of the question
  /// beta = mean over i of beta_i        (8): which words of the question count
  /// s_i = sum over j of alpha_ji beta_j (9)
  attention_over_attention,
};
constexpr std::array<std::string_view, 2> names_of(ReaderFamily) {
  return {"attention-sum", "attention-over-attention"};
}

struct ClozeReaderConfig {
  ReaderFamily family = ReaderFamily::attention_over_attention;
  Dim vocabulary = 0;
  Dim width = 128;   // of embeddings, which documents and questions share
  Dim hidden = 128;  // of each direction
  Dim layers = 1;
  double dropout = 0.2;  // of embeddings and of the rows of both encoders

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("family", family);
    visit("vocabulary", vocabulary);
    visit("width", width);
    visit("hidden", hidden);
    visit("layers", layers);
    visit("dropout", dropout);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const ClozeReaderConfig& config);

struct ClozeReader {
  ClozeReaderConfig config;
  Embedding words;
  Gru document, question;

  ClozeReader(Scope s, const ClozeReaderConfig& config);

  /// s of each row of the documents: (D, 1), which sums to 1 over a document. A probe is given it
  /// as `answer`, with one query an example; of attention-over-attention also alpha as `matching`
  /// (queries: the question's words) and beta as `question` (keys: the question's words).
  Var operator()(const Sequences& documents, const Sequences& questions, const Pass& pass) const;

 private:
  struct Sides {
    Var documents;  // (D, 2H)
    Var questions;  // (Q, 2H)
    Var last;       // (S, 2H): what both directions end with on the question
  };
  Sides encode(const Sequences& documents, const Sequences& questions, const Pass& pass) const;
  Var attention_sum(const Sides& sides, const Segments& documents) const;
  Var attention_over_attention(const Sides& sides, const Segments& documents,
                               const Segments& questions, const Pass& pass) const;
};

/// The sum of s over some places of each example: (S, 1). Places are rows of `pointed`.
Var probability_of(const Var& pointed, const Sequences& places);

}  // namespace fovea
