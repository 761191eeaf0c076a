/// Settings: recipes in TOML and the config.json of a model, read into structs and written from
/// them. A struct names its fields once:
///
///   struct BatchConfig {
///     Dim rows = 4096;
///     template <class Visitor>
///     void fields(Visitor& visit) { visit("rows", rows); }
///   };
///   enum class NormPlace { post, pre };
///   constexpr std::array<std::string_view, 2> names_of(NormPlace) { return {"post", "pre"}; }
///
/// A field that is not given keeps its value; a key that no field has is an error that names the
/// nearest one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/config/nearest.h"

namespace fovea {

using Json = nlohmann::json;

/// What an enumerator is called in settings.
template <class E>
requires requires(E value) { names_of(value).size(); }
std::string_view name_of(E value) { return names_of(value)[static_cast<std::size_t>(value)]; }

/// Files and text. Errors name the file, the line and what was expected.
Json parse_toml_file(const std::filesystem::path& path);
Json parse_toml(std::string_view text, const std::string& name);
Json parse_json_file(const std::filesystem::path& path);
/// `name` is for errors. What is nested more than 256 deep is refused: whoever walks or shows it
/// would go as deep.
Json parse_json(std::string_view text, const std::string& name);

/// "train.rate=3e-4": sets one value, as `--set` does. The value is TOML; what is no TOML is text,
/// but for a list or a table that is not closed: an Error.
void set_value(Json& json, std::string_view assignment);

/// An error of read_config, of the same kind, that names its cause: the last of the `settings` that
/// were set beside the file, if its key is the one that the error names, or else the file.
/// `origin`: where settings come from.
Error blamed(const Error& error, std::span<const std::string> settings, const std::string& file,
             std::string_view origin = "--set");

namespace detail {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

/// "train.rate: expected a number, found "fast""
[[noreturn]] void wrong_type(const std::string& where, std::string_view expected,
                             const Json& found);
[[noreturn]] void unknown_name(const std::string& where, const std::string& found,
                               std::span<const std::string_view> names);
void check_keys(const std::string& where, const Json& json, std::span<const std::string> known);

template <class T>
void read_value(const Json& json, T& into, const std::string& where);

struct Reader {
  const Json& json;
  const std::string& where;
  std::vector<std::string> known = {};

  template <class T>
  void operator()(const char* name, std::optional<T>& field) {
    T value = {};
    if (json.contains(name)) field = value;
    (*this)(name, field ? *field : value);
  }
  template <class T>
  void operator()(const char* name, T& field) {
    known.push_back(name);
    const auto found = json.find(name);
    if (found != json.end()) {
      read_value(*found, field, where.empty() ? name : where + "." + name);
    }
  }
};

template <class T>
void read_value(const Json& json, T& into, const std::string& where) {
  if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) wrong_type(where, "true or false", json);
    into = json.get<bool>();
  } else if constexpr (std::is_enum_v<T>) {
    if (!json.is_string()) wrong_type(where, "a name", json);
    const auto names = names_of(T{});
    const auto at = std::find(names.begin(), names.end(), json.get<std::string>());
    if (at == names.end()) unknown_name(where, json.get<std::string>(), names);
    into = static_cast<T>(at - names.begin());
  } else if constexpr (std::is_integral_v<T>) {
    if (!json.is_number_integer()) wrong_type(where, "a whole number", json);
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > most) {
      wrong_type(where, "a smaller number", json);
    }
    into = json.get<T>();
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!json.is_number()) wrong_type(where, "a number", json);
    into = json.get<T>();
    if (!std::isfinite(into))
      fail(ErrorKind::bad_setting, where, ": expected a finite number, found ", into);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) wrong_type(where, "text", json);
    into = json.get<std::string>();
  } else if constexpr (IsVector<T>::value) {
    into.clear();
    if (!json.is_array()) {  // one alone need not stand in brackets
      read_value(json, into.emplace_back(), where);
      return;
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
      read_value(json[i], into.emplace_back(), where + "[" + std::to_string(i) + "]");
    }
  } else {
    if (!json.is_object()) wrong_type(where, "a table", json);
    Reader reader{json, where};
    into.fields(reader);
    check_keys(where, json, reader.known);
  }
}

template <class T>
Json write_value(const T& value);

struct Writer {
  Json json = Json::object();
  /// What is not set is not written.
  template <class T>
  void operator()(const char* name, const std::optional<T>& field) {
    if (field) json[name] = write_value(*field);
  }
  template <class T>
  void operator()(const char* name, const T& field) {
    json[name] = write_value(field);
  }
};

template <class T>
Json write_value(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else if constexpr (IsVector<T>::value) {
    Json array = Json::array();
    for (const auto& element : value) array.push_back(write_value(element));
    return array;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return value;
  } else {
    Writer writer;
    const_cast<T&>(value).fields(writer);  // fields() hands out references; nothing is changed
    return writer.json;
  }
}

}  // namespace detail

/// `where` names the table in errors: "recipe.toml: train".
template <class T>
void read_config(const Json& json, T& into, const std::string& where = "") {
  detail::read_value(json, into, where);
}

template <class T>
Json write_config(const T& config) {
  return detail::write_value(config);
}

}  // namespace fovea
