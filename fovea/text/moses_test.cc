#include "fovea/text/moses.h"

#include <gtest/gtest.h>

#include <ctime>

#include "fovea/text/rewrite.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

struct Case {
  const char *line, *expected;
};

TEST(Moses, TakesEnglishApart) {
  const Case cases[] = {
      {"", ""},
      {"  \t ", ""},
      {"Two dogs play.", "Two dogs play ."},
      {"It's the girl's kite, isn't it?", "It 's the girl 's kite , isn 't it ?"},
      {"the boys' boat", "the boys ' boat"},
      {"'Stop', she said.", "'Stop ' , she said ."},
      {"hits from the 1980's and '90s", "hits from the 1980 's and ' 90s"},
      {"He paid $5,300.50, not 3,5.", "He paid $ 5,300.50 , not 3,5 ."},
      {"one,two,3,4 ,", "one , two , 3,4 ,"},
      {"a well-known man/woman (left)", "a well-known man / woman ( left )"},
      {"Mr. Lee met Dr. No.", "Mr. Lee met Dr. No ."},
      {"No. 7 is red. No. It is not.", "No. 7 is red . No . It is not ."},
      {"made in the U.S.A. by J. Doe Inc. Today", "made in the U.S.A. by J. Doe Inc . Today"},
      {"a shop in the st. is open", "a shop in the st. is open"},
      {"well... maybe.. so ....", "well ... maybe .. so ...."},
      {"He said \"no.\"", "He said \" no . \""},
      {"she said 'no.'", "she said ' no . '"},
      {"a | b <c> [d] & e", "a | b < c > [ d ] & e"},
      {"100% wool @ 5°", "100 % wool @ 5 °"},
      {"line\u00a0one\u2003two\x01", "line one two"},
      {"bad \xff byte", "bad \ufffd byte"},
  };
  for (const auto& [line, expected] : cases) {
    EXPECT_EQ(moses_tokenize(line, Language::en), expected);
  }
}

TEST(Moses, TakesGermanApart) {
  const Case cases[] = {
      {"Zwei Hunde spielen.", "Zwei Hunde spielen ."},
      {"Am 3. Mai kam Friedrich II. Er lachte.", "Am 3. Mai kam Friedrich II. Er lachte ."},
      {"Das war Nr. 100. Danach, d.h. ca. Mitte Mai, war Ruhe.",
       "Das war Nr. 100 . Danach , d.h. ca. Mitte Mai , war Ruhe ."},
      {"Peter's und Hans' Rad, 1,80 m hoch!", "Peter ' s und Hans ' Rad , 1,80 m hoch !"},
      {"„Größe“ – so heißt’s", "„ Größe “ – so heißt ’ s"},
      {"im Jahr XXI. Ende", "im Jahr XXI . Ende"},
  };
  for (const auto& [line, expected] : cases) {
    EXPECT_EQ(moses_tokenize(line, Language::de), expected);
  }
}

TEST(Moses, TakesFrenchApart) {
  const Case cases[] = {
      {"L'homme s'assoit près d'un arbre.", "L' homme s' assoit près d' un arbre ."},
      {"Qu'est-ce que c'est ?", "Qu' est-ce que c' est ?"},
      {"MM. Dupont et Durand, cf. Page 3, etc. Fin.",
       "MM. Dupont et Durand , cf. Page 3 , etc. Fin ."},
      {"Il y en a. Voilà", "Il y en a . Voilà"},
      {"dans les années '80", "dans les années ' 80"},
      {"« Oui », dit-elle", "« Oui » , dit-elle"},
  };
  for (const auto& [line, expected] : cases) {
    EXPECT_EQ(moses_tokenize(line, Language::fr), expected);
  }
}

TEST(Moses, NormalizesPunctuation) {
  const struct {
    Language language;
    const char *line, *expected;
  } cases[] = {
      {Language::en, "“Yes”, he said ( softly ) .", "\"Yes,\" he said (softly)."},
      {Language::en, "it’s 5 % — maybe…", "it's 5% - maybe..."},
      {Language::en, "3\u00a0000 of ''them''", "3.000 of \" them \""},
      {Language::de, "Er sagt: „Ja,“ und geht.", "Er sagt: \"Ja\", und geht."},
      {Language::de, "„Nein.“ Er geht. „Gut.“", "\"Nein\". Er geht. \"Gut.\""},
      {Language::de, "3\u00a0000 Meter", "3,000 Meter"},
      {Language::fr, "«\u00a0Oui\u00a0» dit l’homme\u00a0!", "\"Oui\" dit l'homme!"},
      {Language::fr, "trois : quatre ; cinq(six)sept", "trois: quatre; cinq (six) sept"},
  };
  for (const auto& [language, line, expected] : cases) {
    EXPECT_EQ(normalize_punctuation(line, language), expected);
  }
}

TEST(Moses, TakesALongLineInGoodTime) {
  std::string line;
  for (int i = 0; i < 10'000; ++i) line += "l'a.\"b,\".. ";
  const std::clock_t start = std::clock();
  for (const Language language : {Language::en, Language::de, Language::fr}) {
    EXPECT_GT(moses_tokenize(normalize_punctuation(line, language), language).size(), 100'000U);
  }
  EXPECT_LT(std::clock() - start,
            5 * CLOCKS_PER_SEC);  // with sanitizers; without, far below a second
}

TEST(Rewrite, DoesNotOverlap) {
  const auto is_a = [](char32_t c) { return c == U'a'; };
  std::u32string text = U"-a-a-a-";
  text::rewrite(text, {is_a, U'-', is_a}, U"+");
  EXPECT_EQ(utf8_of(text), "-a+a-a-");  // the second a is taken
  text = U"-a-a-a--";
  text::rewrite(text, {is_a, U'-', nullptr}, U"+");
  EXPECT_EQ(utf8_of(text), "-a+a+a+-");
  text::replace_all(text, U"+-", U"");
  EXPECT_EQ(utf8_of(text), "-a+a+a");
}

}  // namespace
}  // namespace fovea
