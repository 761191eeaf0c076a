#include "fovea/config/differences.h"

#include <algorithm>

#include "fovea/base/check.h"

namespace fovea {

std::string differences(const Json& before, const Json& now) {
  const Json old = before.flatten(), flat = now.flatten();
  std::string text;
  for (const auto& [path, value] : flat.items()) {
    const auto found = old.find(path);
    if (found != old.end() && *found == value) continue;
    std::string name = path.substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    text += concat(text.empty() ? "" : ", ", name, " ", found == old.end() ? Json() : *found,
                   " -> ", value);
  }
  return text;
}

}  // namespace fovea
