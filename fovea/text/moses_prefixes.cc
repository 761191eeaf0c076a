#include "fovea/text/moses_prefixes.h"

#include <algorithm>
#include <array>
#include <span>

namespace fovea::text {
namespace {

using Word = std::u32string_view;

/// Titles, ranks, offices and firms: English ones, which the German list has too.
constexpr std::array<Word, 56> titles = {
    U"Mr",   U"Mrs",  U"Ms",   U"MR",   U"MRS",   U"MS",   U"MM",   U"Messrs", U"Mme",  U"Mlle",
    U"Dr",   U"DR",   U"Prof", U"Ph",   U"Sr",    U"St",   U"Rev",  U"Msgr",   U"Hon",  U"Rt",
    U"Gen",  U"Col",  U"Maj",  U"Capt", U"Lt",    U"Sgt",  U"Sfc",  U"Cpl",    U"Pfc",  U"Pvt",
    U"Adm",  U"Cmdr", U"Brig", U"Ens",  U"Comdr", U"Gov",  U"Sen",  U"Sens",   U"Rep",  U"Reps",
    U"Insp", U"Supt", U"Surg", U"Asst", U"Bart",  U"Bros", U"Corp", U"Bldg",   U"Hosp", U"Ord",
    U"Adj",  U"Adv",  U"Con",  U"Op",   U"Res",   U"vs"};

constexpr std::array<Word, 18> english = {U"Jan", U"Feb", U"Mar", U"Apr", U"Jun", U"Jul",
                                          U"Aug", U"Sep", U"Oct", U"Nov", U"Dec", U"Drs",
                                          U"Hr",  U"Nos", U"Nr",  U"Rs",  U"rev", U"v"};
constexpr std::array<Word, 3> english_before_number = {U"No", U"Art", U"pp"};

constexpr std::array<Word, 36> german = {
    U"ca",  U"Ca",    U"bzw",  U"usw",    U"usf",  U"etc", U"ggf", U"vgl", U"evtl",
    U"sog", U"sogen", U"dgl",  U"dergl",  U"bzgl", U"ff",  U"zzt", U"Zt",  U"Std",
    U"Mio", U"Mrd",   U"MwSt", U"Buchst", U"Chr",  U"jun", U"sen", U"Co",  U"Ltd",
    U"SA",  U"Dkr",   U"BSE",  U"spp",    U"No",   U"Nos", U"Nr",  U"Art", U"pp"};

constexpr std::array<Word, 43> french = {
    U"MM",  U"SS",   U"ms",   U"cf",   U"etc", U"ex",    U"env",  U"av",  U"apr",  U"auj",  U"art",
    U"ann", U"chap", U"fig",  U"fasc", U"vol", U"éd",    U"dir",  U"tél", U"boul", U"hab",  U"ca",
    U"al",  U"id",   U"ibid", U"inf",  U"sup", U"suppl", U"suiv", U"sq",  U"sqq",  U"sec",  U"sect",
    U"pl",  U"pp",   U"sing", U"masc", U"fém", U"fr",    U"lib",  U"vb",  U"vs",   U"contr"};

bool among(std::span<const Word> words, Word word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_letter(Word word, char32_t first, char32_t last) {
  return word.size() == 1 && word[0] >= first && word[0] <= last;
}

/// 1 to 99: "am 3. Mai".
bool is_ordinal(Word word) {
  const auto digit = [](char32_t c) { return c >= U'0' && c <= U'9'; };
  return !word.empty() && word.size() <= 2 && word[0] != U'0' &&
         std::all_of(word.begin(), word.end(), digit);
}

/// I to XX, or i to xx: "Friedrich II. von Preußen".
bool is_roman(Word word) {
  std::u32string upper(word);
  if (std::all_of(word.begin(), word.end(), [](char32_t c) { return c >= U'a' && c <= U'z'; })) {
    for (char32_t& c : upper) c -= U'a' - U'A';
  }
  constexpr std::array<Word, 10> ones = {U"",  U"I",  U"II",  U"III",  U"IV",
                                         U"V", U"VI", U"VII", U"VIII", U"IX"};
  const std::size_t tens = std::min(upper.find_first_not_of(U'X'), upper.size());
  // IX is a one, not a ten; XX ends the list.
  if (tens == 2) return upper.size() == 2;
  return tens < 2 && !upper.empty() && among(ones, Word(upper).substr(tens));
}

}  // namespace

Prefix prefix_of(Word word, Language language) {
  const auto always = [](bool is) { return is ? Prefix::always : Prefix::none; };
  if (is_letter(word, U'A', U'Z')) return Prefix::always;
  switch (language) {
    case Language::en:
      if (among(english_before_number, word)) return Prefix::before_number;
      return always(among(titles, word) || among(english, word));
    case Language::de:
      return always(is_letter(word, U'a', U'z') || is_ordinal(word) || is_roman(word) ||
                    among(titles, word) || among(german, word));
    case Language::fr:
      // Not "a", which is a word.
      return always(is_letter(word, U'b', U'z') || among(french, word));
  }
  return Prefix::none;
}

}  // namespace fovea::text
