/// Numbers that people set, checked: an Error names the key, what was expected and what was found.
///
///   const TableCheck model("model");
///   model.at_least("width", 1, c.width);  // model.width: expected at least 1, found 0
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/base/view.h"

namespace fovea {

class TableCheck {
 public:
  /// Layers that no model has; building so many would only take long.
  static constexpr Dim most_layers = 1000;

  /// `table`: whose keys they are, such as "model.encoder".
  explicit TableCheck(std::string_view table) : table_(table) {}

  void at_least(std::string_view key, Dim least, Dim found) const {
    FOVEA_CHECK(found >= least, ErrorKind::bad_setting, table_, ".", key, ": expected at least ",
                least, ", found ", found);
  }
  void sizes(std::initializer_list<std::pair<std::string_view, Dim>> all) const {
    for (const auto& [key, found] : all) at_least(key, 1, found);
  }
  /// Of a list none or more, each of at least 1.
  void windows(std::string_view key, const std::vector<Dim>& all) const {
    for (const Dim found : all) at_least(key, 1, found);
  }
  void layers(std::string_view key, Dim least, Dim found) const {
    FOVEA_CHECK(found >= least && found <= most_layers, ErrorKind::bad_setting, table_, ".", key,
                ": expected ", least, " to ", most_layers, ", found ", found);
  }
  /// Of a width, which the key "width" of the same table says.
  void heads(std::string_view key, Dim found, Dim width) const {
    at_least(key, 1, found);
    FOVEA_CHECK(width % found == 0, ErrorKind::bad_setting, table_, ".", key,
                ": expected a number that divides ", table_, ".width = ", width, ", found ", found);
  }
  /// Of dropout and smoothing.
  void shares(std::initializer_list<std::pair<std::string_view, double>> all) const {
    for (const auto& [key, found] : all) {
      FOVEA_CHECK(found >= 0 && found < 1, ErrorKind::bad_setting, table_, ".", key,
                  ": expected 0 to below 1, found ", found);
    }
  }
  void not_negative(std::string_view key, double found) const {
    FOVEA_CHECK(found >= 0, ErrorKind::bad_setting, table_, ".", key,
                ": expected at least 0, found ", found);
  }

 private:
  std::string_view table_;
};

}  // namespace fovea
