/// The expressions that most models take words apart with, as code. Each matches everywhere: a text
/// is all matches.
#include <array>

#include "fovea/tokenizers/char_class.h"
#include "fovea/tokenizers/pattern.h"
#include "fovea/unicode/utf8.h"

namespace fovea::hub {
namespace {

enum class CharKind { letter, number, space, other, end };

CharKind kind_of(char32_t c) {
  if (is_letter(c)) return CharKind::letter;
  if (is_number(c)) return CharKind::number;
  return is_white(c) ? CharKind::space : CharKind::other;
}

constexpr std::array<CharKind, 128> ascii_kinds() {
  std::array<CharKind, 128> kinds = {};
  for (std::size_t c = 0; c < 128; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    kinds[c] = letter                 ? CharKind::letter
               : c >= '0' && c <= '9' ? CharKind::number
               : space                ? CharKind::space
                                      : CharKind::other;
  }
  return kinds;
}

/// Characters of a text, one after the other.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  struct Character {
    CharKind kind;
    std::size_t end;
  };

  Character at(std::size_t begin) const {
    static constexpr auto ascii = ascii_kinds();
    if (begin >= text_.size()) return {CharKind::end, begin};
    const auto first = static_cast<unsigned char>(text_[begin]);
    if (first < 0x80) return {ascii[first], begin + 1};
    std::size_t end = begin;
    const char32_t c = next_code_point(text_, end);
    return {kind_of(c), end};
  }

  /// Past all characters of this kind, at most so many.
  std::size_t past(CharKind kind, std::size_t begin, int most = -1) const {
    for (Character c = at(begin); c.kind == kind && most != 0; c = at(begin), --most) begin = c.end;
    return begin;
  }

  bool breaks_line(std::size_t i) const {
    return i < text_.size() && (text_[i] == '\r' || text_[i] == '\n');
  }

  std::size_t past_breaks(std::size_t i) const {
    while (breaks_line(i)) ++i;
    return i;
  }

  /// Past 's, 't, 're, 've, 'm, 'll, 'd, or where it began. If capitals count, so does U+017F,
  /// which is an s to those who do not look at case.
  std::size_t past_contraction(std::size_t begin, bool capitals) const {
    if (text_[begin] != '\'') return begin;
    const auto letter = [&](std::size_t i) -> char {
      if (i >= text_.size()) return 0;
      return capitals && text_[i] >= 'A' && text_[i] <= 'Z' ? static_cast<char>(text_[i] + 32)
                                                            : text_[i];
    };
    if (capitals && text_.substr(begin + 1, 2) == "\u017F") return begin + 3;
    const char first = letter(begin + 1), second = letter(begin + 2);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return begin + 2;
    const bool two = (first == 'r' && second == 'e') || (first == 'v' && second == 'e') ||
                     (first == 'l' && second == 'l');
    return two ? begin + 3 : begin;
  }

  /// \s+(?!\S)|\s+ : all space, but the last of several is left to the word after it.
  std::size_t past_space(std::size_t begin) const {
    std::size_t last = begin, end = begin;
    for (Character c = at(begin); c.kind == CharKind::space; c = at(end)) {
      last = end;
      end = c.end;
    }
    return end < text_.size() && last > begin ? last : end;
  }

  char operator[](std::size_t i) const { return text_[i]; }
  std::size_t size() const { return text_.size(); }

 private:
  std::string_view text_;
};

/// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
struct Gpt2 {
  std::size_t operator()(const Scanner& text, std::size_t begin) const {
    const std::size_t contraction = text.past_contraction(begin, false);
    if (contraction > begin) return contraction;
    const std::size_t word = text[begin] == ' ' ? begin + 1 : begin;
    const CharKind kind = text.at(word).kind;
    if (kind != CharKind::space && kind != CharKind::end) return text.past(kind, word);
    return text.past_space(begin);
  }
};

/// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,digits}| ?[^\s\p{L}\p{N}]+[\r\n]*
/// |\s*[\r\n]+|\s+(?!\S)|\s+
struct Llama3 {
  int digits;

  std::size_t operator()(const Scanner& text, std::size_t begin) const {
    const std::size_t contraction = text.past_contraction(begin, true);
    if (contraction > begin) return contraction;
    const auto [kind, next] = text.at(begin);
    if (kind == CharKind::letter) return text.past(CharKind::letter, begin);
    if (kind == CharKind::number) return text.past(CharKind::number, begin, digits);
    if (!text.breaks_line(begin) && text.at(next).kind == CharKind::letter) {
      return text.past(CharKind::letter, next);
    }
    const std::size_t mark = text[begin] == ' ' ? begin + 1 : begin;
    if (text.at(mark).kind == CharKind::other)
      return text.past_breaks(text.past(CharKind::other, mark));
    // All space up to the last line break among it, if there is one.
    std::size_t after_break = begin;
    for (std::size_t i = begin; i < text.size() && text.at(i).kind == CharKind::space;) {
      const bool breaks = text.breaks_line(i);
      i = text.at(i).end;
      if (breaks) after_break = i;
    }
    return after_break > begin ? after_break : text.past_space(begin);
  }
};

template <class Next>
class Known : public Pattern {
 public:
  explicit Known(Next next) : next_(next) {}

  void find(std::string_view text, std::vector<Span>& matches) const override {
    const Scanner scanner(text);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = next_(scanner, begin);
      matches.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
      begin = end;
    }
  }

 private:
  Next next_;
};

}  // namespace

std::unique_ptr<Pattern> gpt2_pattern() { return std::make_unique<Known<Gpt2>>(Gpt2{}); }

std::unique_ptr<Pattern> known_pattern(std::string_view expression) {
  if (expression ==
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)") {
    return gpt2_pattern();
  }
  if (expression ==
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)") {
    return std::make_unique<Known<Llama3>>(Llama3{.digits = 3});
  }
  if (expression ==
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)") {
    return std::make_unique<Known<Llama3>>(Llama3{.digits = 1});
  }
  return nullptr;
}

}  // namespace fovea::hub
