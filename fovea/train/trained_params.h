/// The parameters that an optimizer changes: those of a model, or of some of its scopes.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "fovea/nn/params.h"

namespace fovea {

/// Whether a parameter belongs to a scope: "encoder.0.weight" to "", "encoder", "encoder.0" and
/// "encoder.0.weight".
inline bool in_scope(std::string_view name, std::string_view scope) {
  return scope.empty() ||
         (name.starts_with(scope) && (name.size() == scope.size() || name[scope.size()] == '.'));
}

/// In the order in which they were made. The Params must have all its parameters by now and live
/// on.
class TrainedParams {
 public:
  TrainedParams(Params& params,
                std::string_view scope = "")  // NOLINT: implicit; all of them
      : params_(&params) {
    for (const Parameter& p : params.all()) {
      if (p.trained && in_scope(p.name, scope)) all_.push_back(p);
    }
  }
  TrainedParams(Params& params, std::vector<Parameter> all)
      : params_(&params), all_(std::move(all)) {}

  const std::vector<Parameter>& all() const { return all_; }
  Params& params() const { return *params_; }

 private:
  Params* params_;
  std::vector<Parameter> all_;
};

}  // namespace fovea
