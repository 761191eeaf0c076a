#include "fovea/config/config.h"

#include <toml++/toml.h>

#include <fstream>
#include <tuple>

#include "fovea/base/file_error.h"

namespace fovea {
namespace {

Json from_toml(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    Json json = Json::object();
    for (const auto& [key, value] : *table) json[std::string(key.str())] = from_toml(value);
    return json;
  }
  if (const auto* array = node.as_array()) {
    Json json = Json::array();
    for (const auto& value : *array) json.push_back(from_toml(value));
    return json;
  }
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_floating_point()) return value->get();
  if (const auto* value = node.as_boolean()) return value->get();
  std::ostringstream text;  // dates and times
  node.visit([&](const auto& value) {
    if constexpr (requires { text << value.get(); }) text << value.get();
  });
  return text.str();
}

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  FOVEA_CHECK(in && !std::filesystem::is_directory(path), file_error_kind(path), path.string(),
              ": cannot be opened");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Whether a text can be written as JSON.
bool is_utf8(const Json& text) {
  try {
    text.dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

/// What would be a list or a table, had it an end, is rather a mistake than a text.
void expect_closed(std::string_view assignment, std::string_view value) {
  for (const auto& [begin, end, what] :
       {std::tuple{'[', ']', "list"}, std::tuple{'{', '}', "table"}}) {
    FOVEA_CHECK(!value.starts_with(begin) || value.ends_with(end), ErrorKind::bad_setting, "--set ",
                assignment, ": not a complete ", what, ": it begins with ", begin,
                " and does not end with ", end, "; if it is meant as text, put it in quotes");
  }
}

/// "data.train" and "data.train[0]" stand in "data".
bool stands_in(std::string_view key, std::string_view table) {
  return key.size() > table.size() && key.starts_with(table) &&
         (key[table.size()] == '.' || key[table.size()] == '[');
}

/// By brackets outside strings, whether or not they match.
void check_depth(std::string_view text, const std::string& name) {
  constexpr int most = 256;
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      if (c == '\\') ++at;
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    FOVEA_CHECK(depth <= most, ErrorKind::bad_file, name, ": is nested more than ", most,
                " deep (at byte ", at, "), as no such file is");
  }
}

}  // namespace

Json parse_toml(std::string_view text, const std::string& name) {
  try {
    return from_toml(toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    fail(ErrorKind::bad_file, name, ":", error.source().begin.line, ":",
         error.source().begin.column, ": ", error.description());
  }
}

Json parse_toml_file(const std::filesystem::path& path) {
  return parse_toml(contents_of(path), path.string());
}

Json parse_json(std::string_view text, const std::string& name) {
  check_depth(text, name);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    fail(ErrorKind::bad_file, name, ": is no JSON (at byte ", error.byte, "); is the file whole?");
  } catch (const Json::exception& error) {  // a number that no double holds
    fail(ErrorKind::bad_file, name, ": cannot be read: ", error.what());
  }
}

Json parse_json_file(const std::filesystem::path& path) {
  return parse_json(contents_of(path), path.string());
}

void set_value(Json& json, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  FOVEA_CHECK(equals != std::string_view::npos && equals > 0, ErrorKind::bad_setting,
              "--set: expected table.key=value, found '", assignment, "'");
  const std::string_view value = assignment.substr(equals + 1);
  Json* at = &json;
  std::string_view keys = assignment.substr(0, equals);
  for (;;) {
    const std::size_t dot = keys.find('.');
    const std::string key(keys.substr(0, dot));
    FOVEA_CHECK(at->is_object() || at->is_null(), ErrorKind::bad_setting, "--set ", assignment,
                ": '", key, "' would stand in something that is no table");
    at = &(*at)[key];
    if (dot == std::string_view::npos) break;
    keys.remove_prefix(dot + 1);
  }
  try {
    *at = from_toml(*toml::parse(concat("value = ", value)).get("value"));
  } catch (const toml::parse_error&) {
    expect_closed(assignment, value);
    *at = std::string(value);
    FOVEA_CHECK(is_utf8(*at), ErrorKind::bad_setting, "--set: expected UTF-8, found '", assignment,
                "'");
  }
}

Error blamed(const Error& error, std::span<const std::string> settings, const std::string& file,
             std::string_view origin) {
  const std::string what = error.what();
  const std::string found = what.substr(0, what.find(": "));
  for (std::size_t i = settings.size(); i-- > 0;) {
    const std::string key = settings[i].substr(0, settings[i].find('='));
    if (key == found) {
      return Error(concat(origin, " ", settings[i], what.substr(found.size())), error.kind());
    }
    if (stands_in(found, key) || stands_in(key, found)) {
      return Error(concat(origin, " ", settings[i], ": ", what), error.kind());
    }
  }
  return Error(concat(file, ": ", what), error.kind());
}

namespace detail {

void wrong_type(const std::string& where, std::string_view expected, const Json& found) {
  fail(ErrorKind::bad_setting, where, ": expected ", expected, ", found ", found.dump());
}

void unknown_name(const std::string& where, const std::string& found,
                  std::span<const std::string_view> names) {
  const std::vector<std::string> all(names.begin(), names.end());
  std::string list;
  for (const std::string& name : all) list += (list.empty() ? "" : ", ") + name;
  const std::string meant = nearest(found, all);
  fail(ErrorKind::bad_setting, where, ": expected one of ", list, "; found '", found, "'",
       meant.empty() ? "" : "; did you mean '" + meant + "'?");
}

void check_keys(const std::string& where, const Json& json, std::span<const std::string> known) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      fail(ErrorKind::bad_setting, where.empty() ? key : where + "." + key, ": no such key",
           suggestion(key, known));
    }
  }
}

}  // namespace detail
}  // namespace fovea
