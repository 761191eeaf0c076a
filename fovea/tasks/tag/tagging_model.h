/// A model that tags words, with all that stands around it in its folder:
///
///   config.json          the recipe, with everything that it left to defaults, tags and intents
///   model.safetensors    the weights
///   words.json ...       the tokenizer of words
///   letters.json         that of letters, if they are read
///   elmo/                the ELMo whose knowledge is read beside the words, if any is
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/tasks/elmo/elmo.h"
#include "fovea/tasks/tag/tag_recipe.h"

namespace fovea {

using Words = std::vector<std::string>;

/// What is between white space.
Words words_in(std::string_view line);

/// The words of a text as ids: their pieces, how many each has (one, if the tokenizer's are words),
/// and their letters in the same way, as the model reads them and as its ELMo does, which has marks
/// at both ends. Marks stand around the pieces if the tokenizer is another's.
struct EncodedWords {
  Ids pieces, piece_counts, letters, letter_counts, elmo_letters, elmo_letter_counts;
};

/// The same, lent from a corpus or from encoded texts.
struct WordIds {
  std::span<const std::int32_t> pieces, piece_counts, letters, letter_counts, elmo_letters,
      elmo_letter_counts;

  WordIds() = default;
  WordIds(const EncodedWords& words)  // NOLINT: implicit
      : pieces(words.pieces),
        piece_counts(words.piece_counts),
        letters(words.letters),
        letter_counts(words.letter_counts),
        elmo_letters(words.elmo_letters),
        elmo_letter_counts(words.elmo_letter_counts) {}
};

/// What the model says to a text.
struct TaggedText {
  Words tags;  // one a word, in the scheme of the data; "O" where the model did not read on
  std::string intent = {};  // "" if it knows none, or there are no words
  float intent_probability = 0;
};

/// An ELMo and the folder that it came from.
struct FrozenElmo {
  std::filesystem::path folder;
  ElmoModel model;

  explicit FrozenElmo(const std::filesystem::path& folder)
      : folder(folder), model(load_model<ElmoModel>(folder, {}, Use::run)) {}
};

/// Where the folder of a model has its ELMo.
constexpr const char* elmo_folder = "elmo";

struct TaggingModel {
  TagRecipe recipe;
  Tokenizer words;
  std::optional<Tokenizer> letters;
  std::unique_ptr<const FrozenElmo> elmo;  // null: none is read
  std::unique_ptr<Params> params;
  std::unique_ptr<Tagger> tagger;
  TagRules rules;

  /// The recipe's tags and intents are known by now.
  TaggingModel(TagRecipe recipe, Tokenizer words, std::optional<Tokenizer> letters,
               std::unique_ptr<Params> params, std::unique_ptr<const FrozenElmo> elmo = nullptr);
  /// Errors name the file that is missing, cut off or does not fit the others.
  static TaggingModel load(const std::filesystem::path& folder,
                           const std::vector<std::string>& settings = {}, Use use = Use::train);
  /// Writes all but the weights; returns the names of these files and folders.
  std::vector<std::string> save_rest(const std::filesystem::path& folder) const;

  bool has_intents() const { return !recipe.data.intents.empty(); }
  /// As many words from the first on as the model's positions reach.
  EncodedWords encode(const Words& words) const;
  TagBatch batch(std::span<const WordIds> texts) const;
  /// Marks before the first word.
  Dim marks_before() const { return std::ssize(layout().before); }
  /// Their tags in the model's scheme as ids; -1: training never saw it.
  Ids tag_ids(const Words& tags) const;
  std::int32_t intent_id(const std::string& intent) const;

  /// The answers to the texts of a batch.
  std::vector<TaggedText> read_out(const Tagger::Scores& scores, const Segments& words) const;

 private:
  TextLayout layout() const;
};

/// In the order of the texts. `progress` is told how many are done.
std::vector<TaggedText> tag(const TaggingModel& model, std::span<const Words> texts,
                            const std::function<void(Dim)>& progress = {});

}  // namespace fovea
