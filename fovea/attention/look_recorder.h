/// Looks that a decoder took one after the other, joined to one record for a probe.
#pragma once

#include <string>
#include <vector>

#include "fovea/attention/mechanism.h"
#include "fovea/attention/probe.h"

namespace fovea {

class LookRecorder {
 public:
  /// `targets`: rows of each target; `lengths`: of the source that each looks at. Keeps nothing
  /// unless there is a probe.
  LookRecorder(Probe* probe, Segments targets, std::vector<Dim> lengths);

  /// Query i of the look is row rows[i] of the targets.
  void add(const Look& look, const Askers& askers, std::span<const Dim> rows);
  /// What was looked at as `layer`; what hard allocation took, if it was hard, as
  /// drawn_name(layer).
  void finish(const std::string& layer) const;
  static std::string drawn_name(const std::string& layer) { return layer + ".drawn"; }

 private:
  struct Weight {
    Dim place;  // in the source
    double weight;
  };
  void keep(const std::string& layer, const std::vector<std::vector<Weight>>& rows) const;

  Probe* probe_;
  Segments targets_, sources_;
  std::vector<std::vector<Weight>> weights_, drawn_;  // of each target row
};

}  // namespace fovea
