#include "fovea/tasks/translate/translate_recipe.h"

namespace fovea {

void check(const TranslateDecode& decode) {
  check(static_cast<const DecodeConfig&>(decode));
  FOVEA_CHECK(decode.ratio >= 0, "decode.ratio: expected at least 0, found ", decode.ratio);
  FOVEA_CHECK(decode.rerank >= 0 && decode.rerank <= 1,
              "decode.rerank: expected a weight from 0 to 1, found ", decode.rerank);
  FOVEA_CHECK(decode.lag >= -1,
              "decode.lag: expected at least 0, or -1 for that of the model, found ", decode.lag);
}

}  // namespace fovea
