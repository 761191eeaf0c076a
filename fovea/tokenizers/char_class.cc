#include "fovea/tokenizers/char_class.h"

#include <unicode/uchar.h>

#include <array>
#include <cstdint>

namespace fovea::hub {
namespace {

std::uint32_t mask_of(char32_t c) { return U_GET_GC_MASK(static_cast<UChar32>(c)); }

bool ascii_letter(char32_t c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool ascii_digit(char32_t c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_of_unicode(char32_t c, int version) {
  UVersionInfo age = {};
  u_charAge(static_cast<UChar32>(c), age);
  return age[0] > 0 && age[0] <= version;
}

bool is_white(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
  return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0;
}

bool is_letter(char32_t c) { return c < 0x80 ? ascii_letter(c) : (mask_of(c) & U_GC_L_MASK) != 0; }

bool is_number(char32_t c) { return c < 0x80 ? ascii_digit(c) : (mask_of(c) & U_GC_N_MASK) != 0; }

bool is_punctuation(char32_t c) {
  if (c < 0x80) return c > ' ' && c < 0x7F && !ascii_letter(c) && !ascii_digit(c);
  if (c == 0x166D || c == 0x111C9) return true;  // no longer, in later versions
  return (mask_of(c) & U_GC_P_MASK) != 0 && is_of_unicode(c, 8);
}

bool is_word(char32_t c) {
  if (c < 0x80) return ascii_letter(c) || ascii_digit(c) || c == '_';
  constexpr std::uint32_t kinds = U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK;
  return (mask_of(c) & kinds) != 0 || u_isUAlphabetic(static_cast<UChar32>(c)) != 0 ||
         u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_JOIN_CONTROL) != 0;
}

bool is_other(char32_t c) {
  if (c < 0x80) return c < ' ' || c == 0x7F;
  return (mask_of(c) & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK)) != 0 && is_of_unicode(c, 8);
}

bool is_nonspacing(char32_t c) {
  if (c < 0x80 || c == 0x111C9 || c == 0x1885 || c == 0x1886) return false;  // only since
  return c == 0x1734 || ((mask_of(c) & U_GC_MN_MASK) != 0 && is_of_unicode(c, 8));
}

bool is_mark(char32_t c) {
  if (c < 0x80) return false;
  return c == 0x1CF2 || c == 0x1CF3 || ((mask_of(c) & U_GC_M_MASK) != 0 && is_of_unicode(c, 9));
}

bool is_ideograph(char32_t c) {
  struct Block {
    char32_t first, last;
  };
  constexpr std::array<Block, 8> blocks = {{{0x4E00, 0x9FFF},
                                            {0x3400, 0x4DBF},
                                            {0x20000, 0x2A6DF},
                                            {0x2A700, 0x2B73F},
                                            {0x2B740, 0x2B81F},
                                            {0x2B920, 0x2CEAF},
                                            {0xF900, 0xFAFF},
                                            {0x2F800, 0x2FA1F}}};
  if (c < 0x3400) return false;
  for (const auto& [first, last] : blocks) {
    if (c >= first && c <= last) return true;
  }
  return false;
}

char32_t lower(char32_t c) { return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))); }

}  // namespace fovea::hub
