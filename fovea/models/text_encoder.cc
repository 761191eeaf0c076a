#include "fovea/models/text_encoder.h"

#include "fovea/models/text_convolution.h"
#include "fovea/models/text_recurrent.h"
#include "fovea/models/text_transformer.h"

namespace fovea {

std::unique_ptr<TextEncoder> TextEncoder::make(Scope s, const TextEncoderConfig& config) {
  FOVEA_CHECK(config.vocabulary > 0, "a text encoder needs a vocabulary; the task tells it");
  FOVEA_CHECK(config.known_layers == 0 || config.family == TextFamily::recurrent,
              "what ELMo knows is read by family = \"recurrent\" alone");
  switch (config.family) {
    case TextFamily::transformer:
      return std::make_unique<TextTransformer>(s, config);
    case TextFamily::recurrent:
      FOVEA_CHECK(config.kinds == 0, "family = \"recurrent\" reads one text at a time: it cannot ",
                  "tell ", config.kinds, " texts of a pair apart; set kinds = 0, or take ",
                  "family = \"transformer\"");
      return std::make_unique<TextRecurrent>(s, config);
    case TextFamily::convolution:
      return std::make_unique<TextConvolution>(s, config);
  }
  fail("text encoder: no such family");
}

}  // namespace fovea
