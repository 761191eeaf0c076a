#include "fovea/tasks/input.h"

#include "fovea/base/check.h"
#include "fovea/config/nearest.h"
#include "fovea/formats/mapped_file.h"

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

Input media_input(const std::filesystem::path& file) {
  const auto contents = MappedFile::open(file);
  const auto bytes = contents->bytes();
  return {.text = file.string(),
          .media = {{file.string(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}}}};
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
