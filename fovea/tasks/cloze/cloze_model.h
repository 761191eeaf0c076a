/// A model that fills blanks, with all that stands around it in its folder:
///
///   config.json          the recipe, with everything that it left to defaults
///   model.safetensors    the weights
///   words.json           the tokenizer
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/data/corpus.h"
#include "fovea/tasks/cloze/cloze_recipe.h"
#include "fovea/tasks/left_out.h"

namespace fovea {

/// What a question has in the place of the word that is asked for.
constexpr std::string_view cloze_blank = "@placeholder";

struct ClozeText {
  std::string document, question;
};

/// As ids; same[i] is the first place of the word that stands at place i of the document, be it
/// known or not.
struct EncodedCloze {
  Ids document, question, same;
};

/// The same, lent: from a corpus or from encoded texts.
struct ClozeIds {
  std::span<const std::int32_t> document, question, same;

  ClozeIds(const EncodedCloze& from)
      : document(from.document), question(from.question), same(from.same) {}
  ClozeIds(const Corpus& corpus, std::uint32_t example);
};

/// A word of a document, by its first place.
struct RankedWord {
  Dim place = 0;
  float probability = 0;
};

struct ClozeModel {
  ClozeRecipe recipe;
  Tokenizer words;
  std::unique_ptr<Params> params;
  ClozeReader reader;

  ClozeModel(ClozeRecipe recipe, Tokenizer words, std::unique_ptr<Params> params);
  /// Errors name the file that is missing, cut off or does not fit the others.
  static ClozeModel load(const std::filesystem::path& folder,
                         const std::vector<std::string>& settings = {}, Use use = Use::train);
  /// All but the weights.
  void save_rest(const std::filesystem::path& folder) const;

  /// The words of a document that are read.
  std::vector<std::string> document_words(std::string_view document) const;
  /// Whether it has more.
  bool too_long(std::string_view document) const;
  EncodedCloze encode(const ClozeText& text) const;

  /// s of each row of the documents, one after the other: (D, 1).
  Var point(std::span<const ClozeIds> texts, const Pass& pass) const;
};

/// The words of a document with their probabilities, the likeliest first, of equals the earlier.
std::vector<RankedWord> ranked(std::span<const float> pointed, std::span<const std::int32_t> same);

/// The ranked words of each text, in their order. `progress` is told how many are done.
std::vector<std::vector<RankedWord>> fill(const ClozeModel& model, std::span<const ClozeIds> texts,
                                          const std::function<void(Dim)>& progress = {});

/// The fields of an example: document; question; `same`; the first place of the answer, or nothing
/// if what is read of the document does not have it. Such examples are left out of training.
/// `left_out`, if it is not null, is told of each example.
Corpus read_corpus(const ClozeModel& model, Part part, const std::filesystem::path& base,
                   const std::filesystem::path& scratch, LeftOut* left_out = nullptr);

/// The first examples of a part as its files have them, without those whose document has no words.
struct ClozeExample {
  ClozeText text;
  std::string answer;
};
std::vector<ClozeExample> first_examples(const ClozeModel& model, Part part,
                                         const std::filesystem::path& base, std::size_t most);

/// Learned from the documents and questions of the training part.
Tokenizer train_words(const ClozeRecipe& recipe, const std::filesystem::path& base);

}  // namespace fovea
