#include "fovea/text/sentences.h"

#include <unicode/brkiter.h>

#include <cctype>
#include <memory>

#include "fovea/base/check.h"
#include "fovea/text/split.h"

namespace fovea {
namespace {

std::string_view trimmed(std::string_view text) {
  std::size_t first = text.size(), last = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    if (is_space(next_code_point(text, at))) continue;
    first = std::min(first, from);
    last = at;
  }
  return first < last ? text.substr(first, last - first) : std::string_view();
}

/// Opening the rules costs more than a sentence does: one for each thread.
icu::BreakIterator& breaks() {
  thread_local const auto made = [] {
    UErrorCode error = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> rules(
        icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), error));
    FOVEA_CHECK(U_SUCCESS(error) && rules, ErrorKind::internal,
                "sentences: ICU has no rules for them: ", u_errorName(error));
    return rules;
  }();
  return *made;
}

}  // namespace

std::vector<std::string> sentences_of(std::string_view text) {
  // The iterator steps through UTF-16: what lies between two breaks is turned back to UTF-8.
  const icu::UnicodeString wide = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
  icu::BreakIterator& rules = breaks();
  rules.setText(wide);
  std::vector<std::string> sentences;
  std::int32_t begin = rules.first();
  for (std::int32_t end = rules.next(); end != icu::BreakIterator::DONE; end = rules.next()) {
    std::string sentence;
    wide.tempSubStringBetween(begin, end).toUTF8String(sentence);
    text::for_each_run(
        sentence, [](char32_t c) { return c == U'\n'; },
        [&](std::string_view line) {
          if (const std::string_view words = trimmed(line); !words.empty()) {
            sentences.emplace_back(words);
          }
        });
    begin = end;
  }
  return sentences;
}

std::string without_tags(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('<');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    const bool tag = text.size() > 1 &&
                     (text[1] == '/' || std::isalpha(static_cast<unsigned char>(text[1])) != 0);
    const std::size_t close = tag ? text.find('>') : std::string_view::npos;
    out += close == std::string_view::npos ? '<' : '\n';
    text.remove_prefix(close == std::string_view::npos ? 1 : close + 1);
  }
  return out;
}

}  // namespace fovea
