#include "fovea/serve/json_body.h"

#include <algorithm>
#include <cmath>

#include "fovea/unicode/utf8.h"

namespace fovea::serve {
namespace {

constexpr int deepest = 64;

void check_depth(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest) {
        throw ApiError(400, concat("the body is no JSON for this server: it is "
                                   "nested deeper than ",
                                   deepest));
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

}  // namespace

Json parse_json(std::string_view text) {
  check_depth(text);
  if (!valid_utf8(text)) throw ApiError(400, "the body is not UTF-8");
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    std::string_view what = error.what();
    if (const std::size_t end = what.find("] "); end != std::string_view::npos) {
      what.remove_prefix(end + 2);
    }
    throw ApiError(400, repaired_utf8(concat("the body is not JSON: ", what)));
  }
}

std::string described(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number()) return concat("the number ", value.dump());
  if (value.is_string()) return "a text";
  return value.is_array() ? "a list" : "an object";
}

Fields::Fields(Json object, std::string where)
    : object_(std::move(object)), where_(std::move(where)) {
  if (object_.is_object()) return;
  if (where_.empty()) {
    throw ApiError(400, concat("expected a JSON object, found ", described(object_)));
  }
  where_.pop_back();
  wrong(where_, "expected an object, found ", described(object_));
}

Fields Fields::of(const HttpRequest& request) {
  const std::string type = request.content_type();
  // What curl -d sends is called a form, whatever it is.
  const std::size_t begin = request.body.find_first_not_of(" \t\r\n");
  const bool object = begin != std::string::npos && request.body[begin] == '{';
  const bool form = type == "application/x-www-form-urlencoded";
  if (form && !object) {
    Json object = Json::object();
    for (const auto& [name, value] : parse_form(request.body)) {
      if (!valid_utf8(name) || !valid_utf8(value)) throw ApiError(400, "the form is not UTF-8");
      object[name] = value;
    }
    Fields fields(std::move(object));
    fields.form_ = true;
    return fields;
  }
  if (!form && !type.empty() && type != "application/json" && type != "text/plain") {
    throw ApiError(415, "expected a body of type application/json");
  }
  return Fields(parse_json(request.body));
}

bool Fields::has(std::string_view name) const {
  const auto at = object_.find(name);
  return at != object_.end() && !at->is_null();
}

const Json& Fields::at(std::string_view name) const {
  if (!has(name)) wrong(path(name), "is missing");
  return *object_.find(name);
}

std::string Fields::text(std::string_view name) const {
  const Json& value = at(name);
  if (!value.is_string()) wrong(path(name), "expected a text, found ", described(value));
  return value.get<std::string>();
}

std::string Fields::text(std::string_view name, std::string fallback) const {
  return has(name) ? text(name) : std::move(fallback);
}

Json Fields::plain(std::string_view name) const {
  const Json& value = at(name);
  if (!form_ || !value.is_string()) return value;
  const Json parsed = Json::parse(value.get_ref<const std::string&>(), nullptr, false);
  return parsed.is_number() || parsed.is_boolean() ? parsed : value;
}

bool Fields::flag(std::string_view name, bool fallback) const {
  if (!has(name)) return fallback;
  const Json value = plain(name);
  if (!value.is_boolean()) wrong(path(name), "expected true or false, found ", described(value));
  return value.get<bool>();
}

std::optional<double> Fields::number(std::string_view name, double least, double most) const {
  if (!has(name)) return {};
  const Json value = plain(name);
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < least ||
      value.get<double>() > most) {
    wrong(path(name), "expected a number from ", least, " to ", most, ", found ", described(value));
  }
  return value.get<double>();
}

std::optional<Dim> Fields::whole(std::string_view name, Dim least, Dim most) const {
  if (!has(name)) return {};
  const Json value = plain(name);
  const bool fits = value.is_number() && value.get<double>() >= static_cast<double>(least) &&
                    value.get<double>() <= static_cast<double>(most) &&
                    value.get<double>() == std::floor(value.get<double>());
  if (!fits) {
    wrong(path(name), "expected a whole number from ", least, " to ", most, ", found ",
          described(value));
  }
  return value.is_number_float() ? static_cast<Dim>(value.get<double>()) : value.get<Dim>();
}

std::vector<std::string> Fields::texts(std::string_view name) const {
  const Json& value = at(name);
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array() || value.empty()) {
    wrong(path(name), "expected a text or a list of texts, found ",
          value.is_array() ? "an empty list" : described(value));
  }
  std::vector<std::string> all;
  for (const Json& one : value) {
    if (!one.is_string()) {
      wrong(path(name), "expected texts in the list, found ", described(one), " at place ",
            all.size());
    }
    all.push_back(one.get<std::string>());
  }
  return all;
}

std::vector<std::string> Fields::texts_if(std::string_view name) const {
  return has(name) ? texts(name) : std::vector<std::string>();
}

std::optional<Fields> Fields::object(std::string_view name) const {
  if (!has(name)) return {};
  return Fields(at(name), path(name) + ".");
}

void Fields::expect_only(std::span<const std::string> known) const {
  for (const auto& [name, value] : object_.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    wrong(path(name), "no such key", suggestion(name, known));
  }
}

void Fields::refuse(std::string_view name, std::string_view why) const {
  if (!has(name)) return;
  const Json& value = at(name);
  const bool says_nothing = value == false || value == 0 || value == "" || value.empty();
  if (!says_nothing) wrong(path(name), why);
}

}  // namespace fovea::serve
