/// The settings of a checkpoint's config.json. Internal to the room.
#pragma once

#include <string>

#include "fovea/base/check.h"
#include "fovea/base/view.h"
#include "fovea/config/config.h"
#include "fovea/ops/linear.h"

namespace fovea {

/// Settings of their config.json, with errors that name them.
struct HubSettings {
  const Json& json;

  Dim count(const char* name) const {
    const auto at = json.find(name);
    FOVEA_CHECK(at != json.end() && at->is_number_integer() && at->get<std::int64_t>() > 0,
                ErrorKind::bad_file, "config.json: ", name,
                ": expected a whole number above 0, found ",
                at == json.end() ? "nothing" : at->dump());
    return at->get<Dim>();
  }
  Dim count(const char* name, Dim otherwise) const {
    return is_set(name) ? count(name) : otherwise;
  }
  double number(const char* name, double otherwise) const {
    if (!is_set(name)) return otherwise;
    FOVEA_CHECK(json.at(name).is_number(), ErrorKind::bad_file, "config.json: ", name,
                ": expected a number, found ", json.at(name).dump());
    return json.at(name).get<double>();
  }
  std::string text(const char* name, const std::string& otherwise) const {
    if (!is_set(name)) return otherwise;
    FOVEA_CHECK(json.at(name).is_string(), ErrorKind::bad_file, "config.json: ", name,
                ": expected a name, found ", json.at(name).dump());
    return json.at(name).get<std::string>();
  }
  Activation activation(const char* name, const std::string& otherwise) const {
    const std::string found = text(name, otherwise);
    if (found == "gelu") return Activation::gelu;
    if (found == "gelu_new" || found == "gelu_pytorch_tanh") return Activation::gelu_tanh;
    if (found == "relu") return Activation::relu;
    if (found == "silu" || found == "swish") return Activation::silu;
    fail(ErrorKind::bad_file, "config.json: ", name, ": '", found,
         "' is not supported; gelu, gelu_new, relu and silu are");
  }
  bool flag(const char* name, bool otherwise) const {
    if (!is_set(name)) return otherwise;
    FOVEA_CHECK(json.at(name).is_boolean(), ErrorKind::bad_file, "config.json: ", name,
                ": expected true or false, found ", json.at(name).dump());
    return json.at(name).get<bool>();
  }
  /// Refuses what a model of ours does not compute.
  void only(const char* name, const Json& supported) const {
    FOVEA_CHECK(!is_set(name) || json.at(name) == supported, ErrorKind::bad_file,
                "config.json: ", name, ": only ", supported.dump(), " is supported, found ",
                json.at(name).dump());
  }
  bool is_set(const char* name) const { return json.contains(name) && !json.at(name).is_null(); }
};

}  // namespace fovea
