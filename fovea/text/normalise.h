/// The one form in which a tokenizer sees text, whatever its kind.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace fovea {

/// Unicode Standard Annex #15: composed (nfc), or composed with compatibility characters made plain
/// (nfkc: full-width letters, ligatures, superscripts, no-break spaces).
enum class TextForm { none, nfc, nfkc };
constexpr std::array<std::string_view, 3> names_of(TextForm) { return {"none", "nfc", "nfkc"}; }

/// UTF-8 in that form, in lower case if wanted (full Unicode, of no language in particular). What
/// is not UTF-8 becomes U+FFFD. Applying it twice changes nothing.
std::string normalise(std::string_view text, TextForm form, bool lowercase);

}  // namespace fovea
