#include "fovea/tasks/mask/masked_texts.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "fovea/ops/loss.h"
#include "fovea/ops/reduce.h"
#include "fovea/tasks/marked_text.h"
#include "fovea/text/sentences.h"

namespace fovea {
namespace {

constexpr Dim first_field = 0, second_field = 1;
// What draws are for.
constexpr std::uint64_t hiding = 0x3a5c, pairing = 0x91e7, cutting = 0x6d03;

std::int32_t count_of(const Ids& ids) { return static_cast<std::int32_t>(ids.size()); }

Tensor as_tensor(const Ids& ids) { return Tensor::from<std::int32_t>({count_of(ids)}, ids); }

/// Line by line through the files of a part, one file after the other.
class TextLines {
 public:
  TextLines(const MaskData& data, Part part, const std::filesystem::path& base)
      : part_(part), base_(base) {
    FOVEA_CHECK(has_part(data, part), "data: the recipe has no ", name_of(part),
                " set: name its files, or give data.split a share");
    const bool own = &files_of(data, part) != &data.train;
    for (const std::string& file : files_of(data, part)) {
      MaskData one;
      one.train = {file};
      if (!own)
        one.split = {data.dev.empty() ? data.split.dev : 0,
                     data.test.empty() ? data.split.test : 0};
      files_.push_back(one);
    }
    if (own) part_ = Part::train;
  }

  bool next(std::string& line) {
    while (true) {
      if (reader_ && reader_->next(fields_)) {
        line = fields_[0];
        ++number_;
        return true;
      }
      if (at_ == files_.size()) return false;
      reader_.emplace(files_[at_++], part_, base_);
    }
  }
  std::int64_t number() const { return number_; }

 private:
  Part part_;
  std::filesystem::path base_;
  std::vector<MaskData> files_;
  std::size_t at_ = 0;
  std::optional<PartReader> reader_;
  std::vector<std::string> fields_;
  std::int64_t number_ = 0;
};

std::string plain(const MaskData& data, const std::string& line) {
  return data.tags ? without_tags(line) : line;
}

/// Lines made contexts.
class ContextCutter {
 public:
  ContextCutter(const MaskedLanguageModel& model, CorpusBuilder& corpus)
      : model_(model), corpus_(corpus) {}

  void add(const std::string& text, std::int64_t line) {
    line_ = line;
    if (model_.recipe.model.next_sentence) return add_sentences(text);
    const Ids ids = model_.words.encode(text);
    if (model_.recipe.data.pack) return append(ids);
    add_evenly(ids, room(2));
  }

  /// What waits for more lines.
  void finish() {
    if (!waiting_.empty()) emit(std::move(waiting_), {});
  }

 private:
  std::size_t room(Dim marks) const {
    return static_cast<std::size_t>(model_.recipe.data.longest - marks);
  }

  void emit(Ids first, Ids second) {
    corpus_.add(std::vector<Ids>{std::move(first), std::move(second)}, {}, line_);
    ++contexts_;
  }

  /// In parts of equal length: none is left with a few tokens.
  void add_evenly(const Ids& ids, std::size_t most) {
    const std::size_t parts = (ids.size() + most - 1) / most;
    for (std::size_t p = 0; p < parts; ++p) {
      const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(p * ids.size() / parts);
      const auto end = ids.begin() + static_cast<std::ptrdiff_t>((p + 1) * ids.size() / parts);
      emit(Ids(begin, end), {});
    }
  }

  /// Liu et al. 2019, 3.2, "full sentences": one line after the other, with a mark between them.
  void append(const Ids& ids) {
    if (!waiting_.empty()) waiting_.push_back(model_.words.special().end);
    waiting_.insert(waiting_.end(), ids.begin(), ids.end());
    const std::size_t most = room(2);
    std::size_t at = 0;
    for (; waiting_.size() - at >= most; at += most) {
      const auto begin = waiting_.begin() + static_cast<std::ptrdiff_t>(at);
      emit(Ids(begin, begin + static_cast<std::ptrdiff_t>(most)), {});
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void add_sentences(const std::string& text) {
    std::vector<Ids> context;
    std::size_t length = 0;
    for (const std::string& sentence : sentences_of(text)) {
      Ids ids = model_.words.encode(sentence);
      ids.resize(std::min(ids.size(), room(3)));
      if (ids.empty()) continue;
      if (length + ids.size() > room(3)) {
        emit_pair(context);
        context.clear();
        length = 0;
      }
      length += ids.size();
      context.push_back(std::move(ids));
    }
    if (!context.empty()) emit_pair(context);
  }

  /// Cut in two between sentences, somewhere.
  void emit_pair(const std::vector<Ids>& sentences) {
    std::size_t cut = 1;
    if (sentences.size() > 2) {
      const Draws draws{model_.recipe.train.seed ^ cutting, contexts_};
      cut += draws.below(0, static_cast<std::uint32_t>(sentences.size() - 1));
    }
    Ids parts[2];
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      Ids& part = parts[i < cut ? 0 : 1];
      part.insert(part.end(), sentences[i].begin(), sentences[i].end());
    }
    emit(std::move(parts[0]), std::move(parts[1]));
  }

  const MaskedLanguageModel& model_;
  CorpusBuilder& corpus_;
  Ids waiting_;
  std::int64_t line_ = 0;
  std::uint64_t contexts_ = 0;
};

}  // namespace

Tokenizer train_words(const MaskRecipe& recipe, const std::filesystem::path& base) {
  TokenizerConfig config = recipe.words;
  if (std::find(config.controls.begin(), config.controls.end(), mask_name) ==
      config.controls.end()) {
    config.controls.emplace_back(mask_name);
  }
  TextLines lines(recipe.data, Part::train, base);
  const auto read = [&](std::string& line) {
    if (!lines.next(line)) return false;
    line = plain(recipe.data, line);
    return true;
  };
  return learn_tokenizer(config, read, recipe.data);
}

Corpus read_corpus(const MaskedLanguageModel& model, const MaskData& data, Part part,
                   const std::filesystem::path& base, const std::filesystem::path& scratch) {
  CorpusBuilder corpus(scratch, 2, false);
  ContextCutter cutter(model, corpus);
  TextLines lines(data, part, base);
  for (std::string line; lines.next(line);) cutter.add(plain(data, line), lines.number());
  cutter.finish();
  const Corpus made = corpus.finish();
  FOVEA_CHECK(made.size() > 0, "data: the ", name_of(part), " set has no text",
              why_empty(data, part));
  return made;
}

Dim MaskedBatch::texts_with_second() const {
  const auto all = follows.span<std::int32_t>();
  return std::count_if(all.begin(), all.end(), [](std::int32_t f) { return f >= 0; });
}

MaskedTexts::MaskedTexts(const MaskedLanguageModel& model, Corpus corpus)
    : model_(model), corpus_(std::move(corpus)) {
  for (Dim e = 0; e < corpus_.size(); ++e) {
    if (corpus_.length(e, second_field) > 0) pairs_.push_back(static_cast<std::uint32_t>(e));
  }
}

MaskedTexts::Second MaskedTexts::second_of(std::uint32_t example) const {
  const auto own = corpus_.ids(example, second_field);
  const Draws draws{model_.recipe.train.seed ^ pairing, example};
  if (own.empty() || draws.below(0, 2) == 0) return {own, true};
  const std::uint32_t other = pairs_[draws.below(1, static_cast<std::uint32_t>(pairs_.size()))];
  if (corpus_.line(other) == corpus_.line(example)) return {own, true};  // of the same document
  const auto tokens = corpus_.ids(other, second_field);
  const auto room = static_cast<std::size_t>(model_.recipe.data.longest - 3 -
                                             corpus_.length(example, first_field));
  return {tokens.first(std::min(tokens.size(), room)), false};
}

MaskedBatch MaskedTexts::batch(std::span<const std::uint32_t> examples, Dim epoch) const {
  std::vector<Ids> texts;
  Ids kinds, places, targets, follows;
  std::int32_t row = 0;
  for (const std::uint32_t e : examples) {
    const auto first = corpus_.ids(e, first_field);
    const Second second = second_of(e);
    const MarkedText text = second.tokens.empty()
                                ? marked_text(first, model_.words.layout())
                                : marked_pair(first, second.tokens, model_.words.layout());
    const Ids& tokens = text.ids;
    kinds.insert(kinds.end(), text.kinds.begin(), text.kinds.end());
    follows.push_back(second.tokens.empty() ? -1 : second.own ? 1 : 0);
    const MaskingConfig& masking = model_.recipe.objective;
    const std::uint64_t drawn = masking.dynamic ? static_cast<std::uint64_t>(epoch) : 0;
    Masked hidden =
        masked(tokens, model_.words, masking, {model_.recipe.train.seed ^ hiding, drawn << 32 | e});
    for (const std::int32_t place : hidden.places) places.push_back(row + place);
    targets.insert(targets.end(), hidden.targets.begin(), hidden.targets.end());
    row += count_of(hidden.tokens);
    texts.push_back(std::move(hidden.tokens));
  }
  const bool told = model_.recipe.model.encoder.kinds >= 2;
  return {.rows = {joined(texts), told ? as_tensor(kinds) : Tensor()},
          .places = as_tensor(places),
          .targets = as_tensor(targets),
          .follows = as_tensor(follows)};
}

MaskScore measure(const MaskedLanguageModel& model, const MaskedTexts& texts) {
  const NoTape no_tape;
  std::vector<std::int32_t> rows;
  for (Dim e = 0; e < texts.corpus().size(); ++e) {
    rows.push_back(texts.corpus().length(e, first_field) + texts.corpus().length(e, second_field));
  }
  const Batches batches = Batches::unshuffled(rows, {.rows = model.recipe.batch.rows});
  MaskScore score;
  const auto agree = [](const Tensor& logits, const Tensor& targets) {
    const Tensor answers = argmax(logits);
    Dim right = 0;
    for (Dim i = 0; i < targets.size(); ++i) {
      right += answers.data<std::int32_t>()[i] == targets.data<std::int32_t>()[i];
    }
    return right;
  };
  for (Dim b = 0; b < batches.size(); ++b) {
    const MaskedBatch batch = texts.batch(batches[b], 0);
    const Var h = (*model.model.encoder)(batch.rows, {});
    const Var logits = model.model.logits(model.model.hidden(h, batch.places));
    score.loss += cross_entropy(logits, batch.targets, {.reduction = Reduction::sum}).item();
    score.asked += batch.targets.size();
    score.right += agree(logits.value(), batch.targets);
    if (!model.model.next) continue;
    const Var next = model.model.next_logits(h, batch.rows.tokens.segments, {});
    score.pairs += batch.texts_with_second();
    score.pairs_right += agree(next.value(), batch.follows);
  }
  return score;
}

}  // namespace fovea
