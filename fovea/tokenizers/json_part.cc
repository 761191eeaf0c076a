#include "fovea/tokenizers/json_part.h"

namespace fovea::hub {

void JsonPart::expected(std::string_view what) const {
  // What is no single value may be of any size and depth: only its kind is told.
  const std::string found =
      json_->is_structured() ? json_->type_name() : json_->dump().substr(0, 100);
  wrong("expected ", what, ", found ", found);
}

bool JsonPart::has(const char* key) const {
  if (!json_->is_object()) expected("an object");
  const auto found = json_->find(key);
  return found != json_->end() && !found->is_null();
}

JsonPart JsonPart::at(const char* key) const {
  if (!json_->is_object()) expected("an object");
  const auto found = json_->find(key);
  if (found == json_->end()) wrong("has no member '", key, "'");
  return {*found, where_ + (is_whole() ? "" : ".") + key};
}

std::vector<JsonPart> JsonPart::elements() const {
  if (!json_->is_array()) expected("an array");
  std::vector<JsonPart> all;
  for (std::size_t i = 0; i < json_->size(); ++i) {
    all.emplace_back((*json_)[i], where_ + "[" + std::to_string(i) + "]");
  }
  return all;
}

std::string JsonPart::text() const {
  if (!json_->is_string()) expected("text");
  return json_->get<std::string>();
}

std::int64_t JsonPart::whole() const {
  if (!json_->is_number_integer()) expected("a whole number");
  return json_->get<std::int64_t>();
}

double JsonPart::number() const {
  if (!json_->is_number()) expected("a number");
  return json_->get<double>();
}

bool JsonPart::flag() const {
  if (!json_->is_boolean()) expected("true or false");
  return json_->get<bool>();
}

bool JsonPart::flag(const char* key, bool otherwise) const {
  return has(key) ? at(key).flag() : otherwise;
}

std::string_view JsonPart::type(std::string_view what,
                                const std::vector<std::string_view>& names) const {
  const std::string found = text("type");
  std::string list;
  for (const std::string_view name : names) {
    if (name == found) return name;
    list += concat(list.empty() ? "" : ", ", name);
  }
  wrong(what, " of type '", found.substr(0, 100), "' is not supported; supported are ", list);
}

}  // namespace fovea::hub
