#include "fovea/tasks/language/language_recipe.h"

namespace fovea {

void check(const LanguageDecode& decode) {
  check(static_cast<const DecodeConfig&>(decode));
  for (const std::string& stop : decode.stop) {
    FOVEA_CHECK(!stop.empty(), "decode.stop: an empty text would stop every other");
  }
}

}  // namespace fovea
