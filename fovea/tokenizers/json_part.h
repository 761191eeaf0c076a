/// A part of a JSON file that knows where it stands, so that errors can say so. The file may hold
/// anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/config/config.h"

namespace fovea::hub {

class JsonPart {
 public:
  /// `where` names it in errors: "tokenizer.json: " the whole, "tokenizer.json: normalizer" a part.
  JsonPart(const Json& json, std::string where) : json_(&json), where_(std::move(where)) {}

  const Json& json() const { return *json_; }
  const std::string& where() const { return where_; }

  /// Whether there is such a member that is not null.
  bool has(const char* key) const;
  JsonPart at(const char* key) const;
  std::vector<JsonPart> elements() const;

  std::string text() const;
  std::int64_t whole() const;
  double number() const;
  bool flag() const;

  std::string text(const char* key) const { return at(key).text(); }
  bool flag(const char* key, bool otherwise) const;
  bool flag(const char* key) const { return at(key).flag(); }
  /// The one of `names` that the member "type" is; `what` says of what.
  std::string_view type(std::string_view what, const std::vector<std::string_view>& names) const;

  template <class... Parts>
  [[noreturn]] void wrong(const Parts&... parts) const {
    fail(ErrorKind::bad_file, where_, is_whole() ? "" : ": ", parts...);
  }

 private:
  bool is_whole() const { return where_.ends_with(": "); }
  [[noreturn]] void expected(std::string_view what) const;

  const Json* json_;
  std::string where_;
};

/// Parts stand within parts of the same kind, but not without end.
constexpr int deepest_part = 16;

}  // namespace fovea::hub
