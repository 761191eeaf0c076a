#include "fovea/text/normalise.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(Normalise, BringsToForm) {
  EXPECT_EQ(normalise("e\u0301", TextForm::nfc, false), "é");
  EXPECT_EQ(normalise("ﬁ①Ａ\u00a0", TextForm::nfc, false), "ﬁ①Ａ\u00a0");
  EXPECT_EQ(normalise("ﬁ①Ａ\u00a0", TextForm::nfkc, false), "fi1A ");
  EXPECT_EQ(normalise("e\u0301", TextForm::none, false), "e\u0301");
  EXPECT_EQ(normalise("a\xff", TextForm::none, false), "a\ufffd");
  EXPECT_EQ(normalise("a\xff", TextForm::nfkc, true), "a\ufffd");
  EXPECT_EQ(normalise("ÄPFEL ΟΔΟΣ Straße", TextForm::none, true), "äpfel οδος straße");
  EXPECT_EQ(normalise("MIXED 42", TextForm::nfkc, true), "mixed 42");
  EXPECT_EQ(normalise("ℌİ", TextForm::nfkc, true), "hi\u0307");
}

TEST(Normalise, TwiceIsOnce) {
  for (const char* text : {"ℌİ ﬁ①Ａ", "ΟΔΟΣ", "e\u0301\u0323", "Å", "ǅ", "ϓ"}) {
    for (const TextForm form : {TextForm::none, TextForm::nfc, TextForm::nfkc}) {
      for (const bool lowercase : {false, true}) {
        const std::string once = normalise(text, form, lowercase);
        EXPECT_EQ(normalise(once, form, lowercase), once);
      }
    }
  }
}

}  // namespace
}  // namespace fovea
