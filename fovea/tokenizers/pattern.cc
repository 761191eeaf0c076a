#include "fovea/tokenizers/pattern.h"

#include <unicode/regex.h>

namespace fovea::hub {
namespace {

class Literal : public Pattern {
 public:
  explicit Literal(std::string text) : text_(std::move(text)) {}

  void find(std::string_view text, std::vector<Span>& matches) const override {
    if (text_.empty()) return;
    for (std::size_t at = text.find(text_); at != text.npos; at = text.find(text_, at)) {
      const auto begin = static_cast<std::uint32_t>(at);
      at += text_.size();
      matches.push_back({begin, static_cast<std::uint32_t>(at)});
    }
  }

 private:
  std::string text_;
};

/// ICU's \s lacks the vertical tab and the next-line character.
std::string with_all_spaces(std::string_view expression) {
  std::string result;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (expression[i] != '\\' || i + 1 == expression.size()) {
      result += expression[i];
      continue;
    }
    const char escaped = expression[++i];
    if (escaped == 's') {
      result += "\\p{White_Space}";
    } else if (escaped == 'S') {
      result += "\\P{White_Space}";
    } else {
      result += {'\\', escaped};
    }
  }
  return result;
}

class Regex : public Pattern {
 public:
  Regex(std::string expression, const JsonPart& json) : name_(json.where()) {
    UErrorCode status = U_ZERO_ERROR;
    UParseError where = {};
    pattern_.reset(icu::RegexPattern::compile(
        icu::UnicodeString::fromUTF8(with_all_spaces(expression)), 0, where, status));
    if (U_FAILURE(status)) {
      json.wrong("ICU cannot read the expression '", expression.substr(0, 200),
                 "': ", u_errorName(status));
    }
  }

  void find(std::string_view text, std::vector<Span>& matches) const override {
    UErrorCode status = U_ZERO_ERROR;
    UText* view =
        utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status);
    const std::unique_ptr<UText, UText* (*)(UText*)> owner(view, utext_close);
    const std::unique_ptr<icu::RegexMatcher> matcher(pattern_->matcher(status));
    FOVEA_CHECK(U_SUCCESS(status), ErrorKind::internal, name_,
                ": ICU cannot match: ", u_errorName(status));
    matcher->reset(view);
    matcher->setTimeLimit(longest_search, status);
    while (matcher->find(status)) {
      const auto begin = static_cast<std::uint32_t>(matcher->start64(status));
      const auto end = static_cast<std::uint32_t>(matcher->end64(status));
      if (begin < end) matches.push_back({begin, end});
    }
    FOVEA_CHECK(U_SUCCESS(status), name_, ": ICU gives up on a text: ", u_errorName(status));
  }

 private:
  static constexpr std::int32_t longest_search = 10'000;  // steps of about a millisecond
  std::string name_;
  std::unique_ptr<icu::RegexPattern> pattern_;
};

}  // namespace

std::unique_ptr<Pattern> read_pattern(const JsonPart& json) {
  if (json.has("String")) return std::make_unique<Literal>(json.text("String"));
  if (!json.has("Regex")) json.wrong("expected a String or a Regex");
  const std::string expression = json.text("Regex");
  if (auto known = known_pattern(expression)) return known;
  return std::make_unique<Regex>(expression, json.at("Regex"));
}

}  // namespace fovea::hub
