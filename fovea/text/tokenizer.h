/// Text to ids and back.
///
///   Tokenizer tokenizer = Tokenizer::train({.vocabulary = 10'000}, lines);
///   Ids ids = tokenizer.encode("Two dogs play.");   // neither begin nor end is added
///   std::string text = tokenizer.decode(ids);
///
/// Ids of tokenizers that are learned here: 0 unknown, 1 begin, 2 end, then the control symbols of
/// the configuration, then what text is made of. Those of others' models (kind "hub") are theirs;
/// special() and layout() tell which have a duty. Text never yields begin, end or a control symbol,
/// whatever it spells: "<s>" is three characters of data.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/rng.h"
#include "fovea/base/view.h"
#include "fovea/tensor/sequences.h"
#include "fovea/text/normalise.h"
#include "fovea/tokenizers/hub_tokenizer.h"

namespace fovea {

/// Pieces of words by SentencePiece (Kudo and Richardson 2018): byte-pair encoding (Sennrich et al.
/// 2016) or the unigram model (Kudo 2018). Or what needs no learning: Unicode's characters, words
/// between white space, bytes of UTF-8. Or what a model of Hugging Face's came with; MarianMT's are
/// SentencePiece's with numbers of their own.
enum class TokenizerKind { bpe, unigram, characters, words, bytes, hub, marian };
constexpr std::array<std::string_view, 7> names_of(TokenizerKind) {
  return {"bpe", "unigram", "characters", "words", "bytes", "hub", "marian"};
}

struct TokenizerConfig {
  TokenizerKind kind = TokenizerKind::bpe;
  Dim vocabulary =
      8000;  // ids in all, or fewer if the text has no more; 0 (characters, words): all; hub: those
             // that the model knows, perhaps more than the tokenizer gives
  TextForm form = TextForm::nfkc;
  bool lowercase = false;
  double coverage = 0.9999;  // bpe, unigram: of the text's characters; the rarest rest is unknown
  Dim min_count = 1;         // characters, words: what is rarer is unknown
  bool marks_apart = false;  // words: punctuation stands for itself, "don't" stays whole
  std::vector<std::string> controls = {};  // further control symbols, such as "<r2l>"

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("kind", kind);
    visit("vocabulary", vocabulary);
    visit("form", form);
    visit("lowercase", lowercase);
    visit("coverage", coverage);
    visit("min_count", min_count);
    visit("marks_apart", marks_apart);
    visit("controls", controls);
  }
};

/// How a tokenizer's control symbol and a line to fill in name what is hidden.
constexpr std::string_view mask_name = "[MASK]";

/// The ids of tokens with a duty. A tokenizer without one has another in its place: its end.
struct SpecialIds {
  std::int32_t unknown = 0, begin = 1, end = 2;
};

/// Ids, and the bytes [begin, end) of the text that each stands for.
struct PlacedIds {
  struct Place {
    std::size_t begin = 0, end = 0;
  };
  Ids ids;
  std::vector<Place> places;
};

/// A handle of something that never changes: copies are cheap, and any thread may use any of them.
class Tokenizer {
 public:
  /// Puts the next line of a text into the string, or says false at its end.
  using Lines = std::function<bool(std::string&)>;

  /// The same text gives the same tokenizer, on any number of threads. Of a text of more than five
  /// million lines, bpe and unigram see a fixed random sample of so many.
  static Tokenizer train(const TokenizerConfig& config, const Lines& lines);

  /// That of another's model, of which `vocabulary` ids are known (0: all of the tokenizer).
  static Tokenizer of(HubTokenizer tokenizer, Dim vocabulary = 0);

  /// One of MarianMT's: a model of SentencePiece's, and all pieces of both languages by their ids.
  static Tokenizer of_marian(std::string model, std::vector<std::string> pieces);

  /// <name>.json and, for bpe, unigram and marian, <name>.model, SentencePiece's; for hub,
  /// tokenizer.json and tokenizer_config.json.
  static Tokenizer load(const std::filesystem::path& folder, const std::string& name);
  /// Returns the names of the files.
  std::vector<std::string> save(const std::filesystem::path& folder, const std::string& name) const;

  /// tokenizer.json and tokenizer_config.json as Hugging Face's models have them, if there are any
  /// that say the same: for hub, bpe and unigram. False: there are none, and nothing is written.
  /// `longest`: tokens that the model reads; `marked`: with what layout() puts around texts.
  bool save_for_hub(const std::filesystem::path& folder, Dim longest, bool marked) const;

  const TokenizerConfig& config() const;
  Dim size() const;  // ids in all
  const SpecialIds& special() const;
  /// The id of padding, of kinds that have one: hub.
  std::optional<std::int32_t> padding() const;
  /// What models read around texts.
  const TextLayout& layout() const;
  /// Whether an id is begin, end, a control symbol or nothing at all, which text never yields.
  bool is_control(std::int32_t id) const;
  /// All of those.
  Ids controls() const;
  /// What comes before it is no text.
  std::int32_t first_of_text() const;

  /// The text as encode sees it: the form and the case of the configuration.
  std::string normalise(std::string_view text) const;

  Ids encode(std::string_view text) const;
  /// The ids of each word of a text: of some kinds they depend on what stands before a word.
  std::vector<Ids> encode_words(std::span<const std::string> words) const;
  /// Of kinds that know where in the text as it was given an id comes from: hub.
  std::optional<PlacedIds> encode_placed(std::string_view text) const;
  /// With the control symbol "[MASK]" for each "[MASK]" in the text; a tokenizer of others also
  /// takes what it calls it itself. An Error if there is no such symbol.
  Ids encode_masked(std::string_view text) const;

  /// Another segmentation of the same text at each draw, so that a model learns that they mean the
  /// same. The same text, draws and dropout give the same ids.
  /// bpe: each merge is left out with probability `dropout` (BPE-dropout, Provilkov et al. 2020,
  /// who use 0.1). unigram: a segmentation is drawn in proportion to P^((1 - dropout) / dropout)
  /// (subword regularisation, Kudo 2018, without a limit on the segmentations: its alpha of 0.1 to
  /// 0.5 is a dropout of 0.91 to 0.67). Dropout 0, and the other kinds: encode.
  Ids sample(std::string_view text, Draws draws, double dropout) const;

  /// Control symbols give nothing, unknown gives "⁇", bytes that are no UTF-8 give U+FFFD.
  std::string decode(std::span<const std::int32_t> ids) const;

  /// One id as a person should see it, a space as "▁".
  std::string piece(std::int32_t id) const;
  /// What each id of encode(text) stands for; of words also those that are unknown.
  std::vector<std::string> pieces(std::string_view text) const;

  /// The id of a control symbol of the configuration. hub: "[MASK]" is the mask, by whatever name.
  std::optional<std::int32_t> control(std::string_view name) const;

  /// For each id the number of the word it belongs to (0, 1, ...): what joins alignments of pieces
  /// to alignments of words. A space belongs to the word after it; begin, end and control symbols
  /// stand alone.
  std::vector<Dim> words(std::span<const std::int32_t> ids) const;

 private:
  struct State;
  explicit Tokenizer(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  Ids numbered(Ids units) const;

  std::shared_ptr<const State> state_;
};

}  // namespace fovea
