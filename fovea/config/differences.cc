#include "fovea/config/differences.h"

#include "fovea/base/check.h"

namespace fovea {
namespace {

void collect(const Json& before, const Json& now, const std::string& name, std::string& text) {
  if (before.is_object() && now.is_object()) {
    for (const auto& [key, value] : now.items()) {
      const auto found = before.find(key);
      if (found == before.end()) continue;
      collect(*found, value, name.empty() ? key : concat(name, ".", key), text);
    }
  } else if (before != now) {
    text += concat(text.empty() ? "" : ", ", name, " ", before, " -> ", now);
  }
}

}  // namespace

std::string differences(const Json& before, const Json& now) {
  std::string text;
  collect(before, now, "", text);
  return text;
}

}  // namespace fovea
