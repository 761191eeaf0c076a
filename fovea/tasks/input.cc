#include "fovea/tasks/input.h"

#include "fovea/base/check.h"
#include "fovea/config/nearest.h"

namespace fovea {

std::vector<Input> inputs_of(std::span<const std::string> lines, const Json& fields) {
  std::vector<Input> inputs;
  for (const std::string& line : lines)
    inputs.push_back({.text = line, .media = {}, .fields = fields});
  return inputs;
}

std::vector<std::string> texts_of(std::span<const Input> inputs) {
  std::vector<std::string> texts;
  for (const Input& input : inputs) texts.push_back(input.text);
  return texts;
}

void expect_options(const Json& fields, const Json& known) {
  for (const auto& [key, value] : fields.items()) {
    if (known.contains(key)) continue;
    std::vector<std::string> names;
    for (const auto& [name, unused] : known.items()) names.push_back(name);
    fail("this model has no option \"", key, "\"", suggestion(key, names));
  }
}

}  // namespace fovea
