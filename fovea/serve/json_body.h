/// The body of a request as JSON, read field by field: each is of the expected
/// type or the client is told which is not, what was expected and what was
/// found.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/view.h"
#include "fovea/config/config.h"
#include "fovea/serve/api_error.h"
#include "fovea/serve/http_request.h"

namespace fovea::serve {

/// Bounded in depth: a hundred thousand brackets are refused before anything is
/// built of them. Strings must be UTF-8. Throws ApiError 400.
Json parse_json(std::string_view text);

/// What kind of value it is, for messages: "a text", "the number 3".
std::string described(const Json& value);

class Fields {
 public:
  /// The body must be an object; `where` is put before names of fields:
  /// "attention.".
  explicit Fields(Json object, std::string where = {});
  /// JSON, or the pairs of a form, whose texts are numbers and flags where these are asked for.
  /// Throws ApiError 415 for other types.
  static Fields of(const HttpRequest& request);

  bool has(std::string_view name) const;  // null counts as missing
  const Json& at(std::string_view name) const;
  const Json& json() const { return object_; }
  /// The name as messages tell it.
  std::string path(std::string_view name) const { return where_ + std::string(name); }

  std::string text(std::string_view name) const;  // required
  std::string text(std::string_view name, std::string fallback) const;
  bool flag(std::string_view name, bool fallback) const;
  std::optional<double> number(std::string_view name, double least, double most) const;
  std::optional<Dim> whole(std::string_view name, Dim least, Dim most) const;
  /// A text or a list of texts; required, not empty.
  std::vector<std::string> texts(std::string_view name) const;
  /// The same; nothing if it is missing.
  std::vector<std::string> texts_if(std::string_view name) const;
  std::optional<Fields> object(std::string_view name) const;
  /// 400 for a field that is none of these; the nearest one is named.
  void expect_only(std::span<const std::string> known) const;
  /// 400 if the field says something that this server cannot do.
  void refuse(std::string_view name, std::string_view why) const;

 private:
  /// The value as a number or a flag, if a form has it as text.
  Json plain(std::string_view name) const;

  Json object_;
  std::string where_;
  bool form_ = false;
};

}  // namespace fovea::serve
