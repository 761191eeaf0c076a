/// Kinds of characters, drawn as Hugging Face's tokenizers draw them: their tables are of several
/// ages. Punctuation, control characters and nonspacing marks are those of Unicode 8; marks and
/// normal forms those of Unicode 9; the others are of the day, here those of ICU.
#pragma once

namespace fovea::hub {

bool is_white(char32_t c);        // Unicode's White_Space
bool is_letter(char32_t c);       // \p{L}
bool is_number(char32_t c);       // \p{N}
bool is_punctuation(char32_t c);  // \p{P}, and all marks of ASCII
bool is_word(char32_t c);         // \w: letters, marks, digits, joining punctuation
bool is_other(char32_t c);        // control, format and private characters; not what is unassigned
bool is_nonspacing(char32_t c);   // \p{Mn}
bool is_mark(char32_t c);         // \p{M}
/// Whether Unicode had the character in this version.
bool is_of_unicode(char32_t c, int version);
bool is_ideograph(char32_t c);  // what BERT sets apart: the blocks of CJK ideographs
char32_t lower(char32_t c);     // one to one; U+0130 alone becomes two, see Lowercase

}  // namespace fovea::hub
