#include "fovea/tasks/report.h"

#include <algorithm>

namespace fovea {

Report share_report(const std::string& name, Dim right, Dim all, const std::string& signature) {
  const double share =
      100 * static_cast<double>(right) / static_cast<double>(std::max<Dim>(all, 1));
  return {{name, share, true},
          formatted("%s = %.2f %% (%lld of %lld)", name.c_str(), share,
                    static_cast<long long>(right), static_cast<long long>(all)),
          signature};
}

}  // namespace fovea
