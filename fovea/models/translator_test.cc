#include "fovea/models/translator.h"

#include <gtest/gtest.h>

#include <limits>

namespace fovea {
namespace {

constexpr Dim kAny = std::numeric_limits<Dim>::max();

TEST(Translator, MakesEveryFamily) {
  for (std::size_t f = 0; f < names_of(TranslatorFamily()).size(); ++f) {
    const auto family = static_cast<TranslatorFamily>(f);
    SCOPED_TRACE(names_of(family)[f]);
    TranslatorConfig config = default_config(family);
    EXPECT_EQ(family_of(config), family);
    vocabularies_of(config) = {.source_vocabulary = 5, .target_vocabulary = 6};
    check(config);
    Params params(1);
    const EncoderDecoder net = make_encoder_decoder(params.scope(), config);
    EXPECT_EQ(net.decoder->out().weight.rows(), 6);
    EXPECT_EQ(params.all().front().name.substr(0, 8), "encoder.");
    EXPECT_EQ(params.all().back().name.substr(0, 8), "decoder.");
  }
}

TEST(Translator, TellsWhatFamiliesHaveInCommon) {
  TransformerConfig transformer;
  transformer.width = 8, transformer.lag = 3;
  EXPECT_EQ(width_of(transformer), 8);
  EXPECT_EQ(lag_of(transformer), 3);
  EXPECT_EQ(longest_of(transformer), kAny);
  transformer.positions = Positions::learned, transformer.longest = 20;
  EXPECT_EQ(longest_of(transformer), 20);
  RecurrentTranslatorConfig recurrent;
  recurrent.hidden = 7;
  EXPECT_EQ(width_of(recurrent), 7);
  EXPECT_EQ(longest_of(recurrent), kAny);
  EXPECT_FALSE(is_hard(recurrent));
  recurrent.attention.allocate = Allocation::hard;
  EXPECT_TRUE(is_hard(recurrent));
  ConvolutionalConfig convolutional;
  convolutional.longest = 30;
  EXPECT_EQ(longest_of(convolutional), 30);
  EXPECT_EQ(lag_of(UniversalConfig()), 0);
}

TEST(Translator, ChecksTheFamilyThatIsThere) {
  AbsConfig abs;
  abs.context = 0;
  EXPECT_THROW(check(TranslatorConfig(abs)), Error);
}

}  // namespace
}  // namespace fovea
