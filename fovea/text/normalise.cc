#include "fovea/text/normalise.h"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <limits>

#include "fovea/base/check.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

const icu::Normalizer2& normalizer(TextForm form) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* found = form == TextForm::nfc ? icu::Normalizer2::getNFCInstance(status)
                                                        : icu::Normalizer2::getNFKCInstance(status);
  FOVEA_CHECK(U_SUCCESS(status), ErrorKind::internal,
              "ICU has no normaliser: ", u_errorName(status), "; is its data installed?");
  return *found;
}

void bring_to(TextForm form, icu::UnicodeString& text) {
  if (form == TextForm::none) return;
  UErrorCode status = U_ZERO_ERROR;
  text = normalizer(form).normalize(text, status);
  FOVEA_CHECK(U_SUCCESS(status), ErrorKind::internal,
              "ICU cannot normalise: ", u_errorName(status));
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

}  // namespace

std::string normalise(std::string_view text, TextForm form, bool lowercase) {
  if (is_ascii(text)) {  // has one form only
    std::string same(text);
    if (lowercase) {
      for (char& c : same) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return same;
  }
  if (form == TextForm::none && !lowercase) return repaired_utf8(text);
  // ICU counts in 32 bits, and a compatibility character becomes up to 18 others.
  constexpr std::size_t longest = std::numeric_limits<std::int32_t>::max() / 32;
  FOVEA_CHECK(text.size() <= longest, ErrorKind::too_large, "a text of ", text.size(),
              " bytes is too long; at most ", longest, " at a time");
  auto wide = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
  bring_to(form, wide);
  if (lowercase) {
    // After the form, which may make capitals (of a letterlike symbol); and the form again, as
    // lower case may leave it.
    wide.toLower(icu::Locale::getRoot());
    bring_to(form, wide);
  }
  std::string narrow;
  wide.toUTF8String(narrow);
  return narrow;
}

}  // namespace fovea
