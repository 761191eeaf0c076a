/// What is done to a text before it is taken apart.
#pragma once

#include <memory>

#include "fovea/tokenizers/aligned_text.h"
#include "fovea/tokenizers/json_part.h"
#include "fovea/unicode/utf8.h"

namespace fovea::hub {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void operator()(AlignedText& text) const = 0;
};

/// Any of those that `normalizer.cc` names. `depth`: how many sequences it stands in.
std::unique_ptr<Normalizer> read_normalizer(const JsonPart& json, int depth = 0);

/// What BERT does (Devlin et al. 2019): control characters go, white space becomes spaces,
/// ideographs are set apart, accents go, letters become small; each if wanted.
std::unique_ptr<Normalizer> read_bert_normalizer(const JsonPart& json);

/// SentencePiece's table of replacements.
std::unique_ptr<Normalizer> read_precompiled(const JsonPart& json);

/// Unicode Standard Annex #15.
struct NormalForm {
  bool compatible = false, composed = false;
};
std::unique_ptr<Normalizer> unicode_form(NormalForm form);

void put_lowercase(AlignedText& text);
void put_normal_form(AlignedText& text, NormalForm form);

/// Calls visit(character, begin, end) for each character.
template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const auto first = static_cast<unsigned char>(text[at]);
    const char32_t c = first < 0x80 ? (++at, first) : next_code_point(text, at);
    visit(c, begin, at);
  }
}

/// Leaves the characters out that are not wanted.
template <class Wanted>
void filter(AlignedText& text, const Wanted& wanted) {
  std::size_t unwanted = 0;
  for_each_character(text.text(),
                     [&](char32_t c, std::size_t, std::size_t) { unwanted += !wanted(c); });
  if (unwanted == 0) return;
  Rewrite rewrite(text);
  for_each_character(text.text(), [&](char32_t c, std::size_t begin, std::size_t end) {
    if (wanted(c)) rewrite.keep(begin, end);
  });
  text = rewrite.done();
}

}  // namespace fovea::hub
