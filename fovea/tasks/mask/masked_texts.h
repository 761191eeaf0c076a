/// Texts of the task "mask": contexts cut from lines, and batches of them with words hidden.
#pragma once

#include <filesystem>
#include <vector>

#include "fovea/data/corpus.h"
#include "fovea/tasks/mask/masked_language_model.h"

namespace fovea {

/// Learned from all texts of the training part; the mask becomes a control symbol.
Tokenizer train_words(const MaskRecipe& recipe, const std::filesystem::path& base);

/// The contexts of a part of the data. Fields of an example: its tokens, without marks; of next
/// sentences the tokens of the part that followed, or nothing where a document had but one
/// sentence. Lines count on from file to file.
Corpus read_corpus(const MaskedLanguageModel& model, const MaskData& data, Part part,
                   const std::filesystem::path& base, const std::filesystem::path& scratch);

struct MaskedBatch {
  TextRows rows;
  Tensor places, targets;  // (M) i32: rows that are asked for, and what stood there
  Tensor follows;  // (B) i32: 1, the second part followed; 0, it stood elsewhere; -1, there is none

  Dim texts_with_second() const;
};

/// What is hidden in a context depends on the seed, its number and the epoch, if masking is
/// dynamic, and on nothing else; so does whether its second part is another's, which half of them
/// are (Devlin et al. 2019, 3.1, task 2).
class MaskedTexts {
 public:
  MaskedTexts(const MaskedLanguageModel& model, Corpus corpus);
  MaskedBatch batch(std::span<const std::uint32_t> examples, Dim epoch) const;
  const Corpus& corpus() const { return corpus_; }

 private:
  /// The second part that a context is shown, and whether it is its own.
  struct Second {
    std::span<const std::int32_t> tokens;
    bool own = true;
  };
  Second second_of(std::uint32_t example) const;

  const MaskedLanguageModel& model_;
  Corpus corpus_;
  std::vector<std::uint32_t> pairs_;  // examples that have a second part
};

/// How well hidden words are found.
struct MaskScore {
  double loss = 0;  // summed
  Dim asked = 0, right = 0;
  Dim pairs = 0, pairs_right = 0;
};
/// Of all texts, each with the masking of epoch 0.
MaskScore measure(const MaskedLanguageModel& model, const MaskedTexts& texts);

}  // namespace fovea
