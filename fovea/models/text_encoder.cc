#include "fovea/models/text_encoder.h"

#include "fovea/base/table_check.h"
#include "fovea/models/text_convolution.h"
#include "fovea/models/text_recurrent.h"
#include "fovea/models/text_transformer.h"

namespace fovea {
namespace {

void check_transformer(const TextEncoderConfig& c, const TableCheck& model) {
  model.heads("heads", c.heads, c.width);
  model.at_least("kv_heads", 0, c.kv_heads);
  model.sizes({{"longest", c.longest}});
  model.shares(
      {{"attention_dropout", c.attention_dropout}, {"activation_dropout", c.activation_dropout}});
}

}  // namespace

void check(const TextEncoderConfig& c, std::string_view table) {
  const TableCheck model(table);
  model.sizes({{"width", c.width}, {"hidden", c.hidden}});
  if (c.family != TextFamily::convolution) model.layers("layers", 1, c.layers);
  if (c.family == TextFamily::transformer) check_transformer(c, model);
  model.windows("windows", c.windows);
  model.at_least("kinds", 0, c.kinds);
  model.sizes({{"letter_width", c.letter_width}, {"letter_filters", c.letter_filters}});
  model.windows("letter_windows", c.letter_windows);
  model.shares({{"dropout", c.dropout}});
}

std::unique_ptr<TextEncoder> TextEncoder::make(Scope s, const TextEncoderConfig& config) {
  FOVEA_CHECK(config.vocabulary > 0, "a text encoder needs a vocabulary; the task tells it");
  FOVEA_CHECK(config.known_layers == 0 || config.family == TextFamily::recurrent,
              ErrorKind::bad_setting, "what ELMo knows is read by family = \"recurrent\" alone");
  switch (config.family) {
    case TextFamily::transformer:
      return std::make_unique<TextTransformer>(s, config);
    case TextFamily::recurrent:
      FOVEA_CHECK(config.kinds == 0, ErrorKind::bad_setting,
                  "family = \"recurrent\" reads one text at a time: it cannot ", "tell ",
                  config.kinds, " texts of a pair apart; set kinds = 0, or take ",
                  "family = \"transformer\"");
      return std::make_unique<TextRecurrent>(s, config);
    case TextFamily::convolution:
      return std::make_unique<TextConvolution>(s, config);
  }
  fail(ErrorKind::internal, "text encoder: no such family");
}

}  // namespace fovea
