#include "fovea/inspect/document_heat.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/check.h"

namespace fovea {
namespace {

DocumentHeat review() {
  return {.title = "pos",
          .sentences = {{0.25F, {"so", "<bad>"}, {0.5F, 0.5F}}, {0.75F, {"good"}, {1}}}};
}

TEST(DocumentHeat, ShadesByWordsAndSentences) {
  const auto shades = review().shades();
  EXPECT_FLOAT_EQ(shades[1][0], 1);
  EXPECT_FLOAT_EQ(shades[0][0], 0.5F * std::sqrt(0.25F / 0.75F));
  EXPECT_EQ(DocumentHeat().shades().size(), 0U);
  DocumentHeat uneven = review();
  uneven.sentences[0].weights.pop_back();
  EXPECT_THROW(uneven.shades(), Error);
}

TEST(DocumentHeat, StandsInATerminal) {
  EXPECT_EQ(terminal_document(review(), {.shades = Shades::ascii, .width = 40}),
            "pos\n"
            "###       so: <bad>: \n"
            "########  good@ \n");
  const std::string colour = terminal_document(review());
  EXPECT_NE(colour.find("\x1b[48;5;223;38;5;16mgood\x1b[0m"), std::string::npos) << colour;
  // Long sentences go on below their first word.
  EXPECT_EQ(terminal_document(review(), {.shades = Shades::ascii, .width = 18}),
            "pos\n"
            "###       so: \n"
            "          <bad>: \n"
            "########  good@ \n");
}

TEST(DocumentHeat, IsAPicture) {
  const std::string svg = svg_document(review());
  EXPECT_NE(svg.find("&lt;bad&gt;"), std::string::npos);
  EXPECT_NE(svg.find("sentence 2: 0.750"), std::string::npos);
}

}  // namespace
}  // namespace fovea
