#include "fovea/tokenizers/pre_tokenizer.h"

#include "fovea/tokenizers/char_class.h"
#include "fovea/tokenizers/normalizer.h"
#include "fovea/tokenizers/pattern.h"

namespace fovea::hub {
namespace {

/// What becomes of the matches of a split.
enum class Delimiter { removed, isolated, with_previous, with_next, contiguous };

Delimiter read_delimiter(const JsonPart& json) {
  const std::string name = json.text();
  if (name == "Removed") return Delimiter::removed;
  if (name == "Isolated") return Delimiter::isolated;
  if (name == "MergedWithPrevious") return Delimiter::with_previous;
  if (name == "MergedWithNext") return Delimiter::with_next;
  if (name == "Contiguous") return Delimiter::contiguous;
  json.wrong("'", name, "' is not supported; supported are Removed, Isolated, ",
             "MergedWithPrevious, MergedWithNext, Contiguous");
}

/// A match, or what stands between two.
struct Part {
  Span span;
  bool match;
};

/// Part by part; `joins` says whether a part becomes one with the part before it.
template <class Joins>
void put_joined(const std::vector<Part>& parts, std::vector<Piece>& pieces, const Joins& joins) {
  const std::size_t first = pieces.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (pieces.size() > first && joins(i)) {
      pieces.back().span.end = parts[i].span.end;
    } else {
      pieces.push_back({parts[i].span});
    }
  }
}

void put_parts(const std::vector<Part>& parts, Delimiter delimiter, std::vector<Piece>& pieces) {
  const auto match = [&](std::size_t i) { return i < parts.size() && parts[i].match; };
  switch (delimiter) {
    case Delimiter::removed:
      for (const auto& [span, is_match] : parts) {
        if (!is_match) pieces.push_back({span});
      }
      return;
    case Delimiter::isolated:
      return put_joined(parts, pieces, [](std::size_t) { return false; });
    case Delimiter::contiguous:
      return put_joined(parts, pieces, [&](std::size_t i) { return match(i) == match(i - 1); });
    case Delimiter::with_previous:
      return put_joined(parts, pieces, [&](std::size_t i) { return match(i) && !match(i - 1); });
    case Delimiter::with_next:
      return put_joined(parts, pieces, [&](std::size_t i) { return match(i - 1) && !match(i); });
  }
}

/// Takes each word apart: cut(word, matches) gives spans within the word.
template <class Cut>
void split(Pieces& all, Delimiter delimiter, bool invert, const Cut& cut) {
  std::vector<Piece> pieces;
  std::vector<Span> matches;
  std::vector<Part> parts;
  for (const Piece& piece : all.pieces) {
    if (piece.added != no_id) {
      pieces.push_back(piece);
      continue;
    }
    const std::uint32_t base = piece.span.begin;
    matches.clear();
    cut(all.text_of(piece), matches);
    parts.clear();
    std::uint32_t done = base;
    for (const auto& [begin, end] : matches) {
      if (done < base + begin) parts.push_back({{done, base + begin}, invert});
      parts.push_back({{base + begin, base + end}, !invert});
      done = base + end;
    }
    if (done < piece.span.end) parts.push_back({{done, piece.span.end}, invert});
    put_parts(parts, delimiter, pieces);
  }
  all.pieces = std::move(pieces);
}

/// Each character of a kind is a match.
template <class OfKind>
void split_at(Pieces& all, Delimiter delimiter, const OfKind& of_kind) {
  split(all, delimiter, false, [&](std::string_view word, std::vector<Span>& matches) {
    for_each_character(word, [&](char32_t c, std::size_t begin, std::size_t end) {
      if (!of_kind(c)) return;
      matches.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    });
  });
}

/// Words as runs of one kind of character: kind_of gives 0 for what parts them, and a kind that is
/// negative makes each character a word.
template <class KindOf>
void split_runs(Pieces& all, const KindOf& kind_of) {
  std::vector<Piece> pieces;
  pieces.reserve(all.text.text().size() / 4 + 4);
  for (const Piece& piece : all.pieces) {
    if (piece.added != no_id) {
      pieces.push_back(piece);
      continue;
    }
    int last = 0;
    for_each_character(all.text_of(piece), [&](char32_t c, std::size_t begin, std::size_t end) {
      const int kind = kind_of(c);
      const auto until = piece.span.begin + static_cast<std::uint32_t>(end);
      if (kind > 0 && kind == last) {
        pieces.back().span.end = until;
      } else if (kind != 0) {
        pieces.push_back({{piece.span.begin + static_cast<std::uint32_t>(begin), until}});
      }
      last = kind;
    });
  }
  all.pieces = std::move(pieces);
}

class Bert : public PreTokenizer {
 public:
  void operator()(Pieces& pieces) const override {
    split_runs(pieces, [](char32_t c) { return is_white(c) ? 0 : is_punctuation(c) ? -1 : 1; });
  }
};

class Whitespace : public PreTokenizer {
 public:
  void operator()(Pieces& pieces) const override {
    split_runs(pieces, [](char32_t c) { return is_word(c) ? 1 : is_white(c) ? 0 : 2; });
  }
};

class WhitespaceSplit : public PreTokenizer {
 public:
  void operator()(Pieces& pieces) const override {
    split_runs(pieces, [](char32_t c) { return is_white(c) ? 0 : 1; });
  }
};

class Punctuation : public PreTokenizer {
 public:
  explicit Punctuation(const JsonPart& json)
      : delimiter_(json.has("behavior") ? read_delimiter(json.at("behavior"))
                                        : Delimiter::isolated) {}
  void operator()(Pieces& pieces) const override { split_at(pieces, delimiter_, is_punctuation); }

 private:
  Delimiter delimiter_;
};

class Digits : public PreTokenizer {
 public:
  explicit Digits(const JsonPart& json)
      : delimiter_(json.flag("individual_digits") ? Delimiter::isolated : Delimiter::contiguous) {}
  void operator()(Pieces& pieces) const override { split_at(pieces, delimiter_, is_number); }

 private:
  Delimiter delimiter_;
};

class Split : public PreTokenizer {
 public:
  explicit Split(const JsonPart& json)
      : pattern_(read_pattern(json.at("pattern"))),
        delimiter_(read_delimiter(json.at("behavior"))),
        invert_(json.flag("invert", false)) {}

  void operator()(Pieces& pieces) const override {
    split(pieces, delimiter_, invert_, [&](std::string_view word, std::vector<Span>& matches) {
      pattern_->find(word, matches);
    });
  }

 private:
  std::unique_ptr<Pattern> pattern_;
  Delimiter delimiter_;
  bool invert_;
};

/// See PreTokenizing: the words only.
class ByteLevel : public PreTokenizer {
 public:
  explicit ByteLevel(const JsonPart& json) : prefix_space_(json.flag("add_prefix_space")) {
    if (json.flag("use_regex", true)) pattern_ = gpt2_pattern();
  }

  void operator()(Pieces& pieces) const override {
    if (prefix_space_) put_spaces(pieces);
    if (!pattern_) return;
    split(
        pieces, Delimiter::isolated, false,
        [&](std::string_view word, std::vector<Span>& matches) { pattern_->find(word, matches); });
  }

 private:
  static void put_spaces(Pieces& all) {
    Rewrite rewrite(all.text);
    for (Piece& piece : all.pieces) {
      const auto begin = static_cast<std::uint32_t>(rewrite.size());
      if (piece.added == no_id && all.text.text()[piece.span.begin] != ' ') {
        rewrite.put(U' ', piece.span.begin);
      }
      rewrite.keep(piece.span.begin, piece.span.end);
      piece.span = {begin, static_cast<std::uint32_t>(rewrite.size())};
    }
    all.text = rewrite.done();
  }

  bool prefix_space_;
  std::unique_ptr<Pattern> pattern_ = nullptr;
};

class Sequence : public PreTokenizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<PreTokenizer>> steps) : steps_(std::move(steps)) {}
  void operator()(Pieces& pieces) const override {
    for (const auto& step : steps_) (*step)(pieces);
  }

 private:
  std::vector<std::unique_ptr<PreTokenizer>> steps_;
};

PreTokenizing read_sequence(const JsonPart& json, int depth) {
  if (depth >= deepest_part) json.wrong("sequences stand in sequences too deep");
  std::vector<std::unique_ptr<PreTokenizer>> steps;
  bool byte_level = false;
  for (const JsonPart& part : json.at("pretokenizers").elements()) {
    if (byte_level) part.wrong("nothing is supported after ByteLevel");
    PreTokenizing read = read_pre_tokenizer(part, depth + 1);
    steps.push_back(std::move(read.step));
    byte_level = read.byte_level;
  }
  return {std::make_unique<Sequence>(std::move(steps)), byte_level};
}

}  // namespace

PreTokenizing read_pre_tokenizer(const JsonPart& json, int depth) {
  const std::string_view type = json.type(
      "pre-tokenizer", {"BertPreTokenizer", "ByteLevel", "Digits", "Metaspace", "Punctuation",
                        "Sequence", "Split", "Whitespace", "WhitespaceSplit"});
  if (type == "BertPreTokenizer") return {std::make_unique<Bert>()};
  if (type == "ByteLevel") return {std::make_unique<ByteLevel>(json), true};
  if (type == "Digits") return {std::make_unique<Digits>(json)};
  if (type == "Metaspace") return {read_metaspace(json)};
  if (type == "Punctuation") return {std::make_unique<Punctuation>(json)};
  if (type == "Split") return {std::make_unique<Split>(json)};
  if (type == "Whitespace") return {std::make_unique<Whitespace>()};
  if (type == "WhitespaceSplit") return {std::make_unique<WhitespaceSplit>()};
  return read_sequence(json, depth);
}

}  // namespace fovea::hub
