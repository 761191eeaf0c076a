/// The learning rate of each step: a function of the step and of nothing else, but for `plateau`,
/// which looks at validation.
#pragma once

#include <array>
#include <string_view>

#include "fovea/base/view.h"

namespace fovea {

/// With n the step (1 for the first), w = warmup, N all steps of the run and
/// p = (n - w) / (N - w) the part that is done after the warmup. All kinds rise by rate n / w while
/// n < w. After that:
///   noam          noam_factor d^-0.5 min(n^-0.5, n w^-1.5), warmup included. Vaswani et al. 2017,
///                 equation 3. `rate` has no part in it.
///   inverse_sqrt  rate (w / n)^0.5. The same curve, by its highest point: Ott et al. 2018,
///                 "Scaling neural machine translation", section 4.
///   cosine        lowest + (rate - lowest) (1 + cos(pi p)) / 2. Loshchilov and Hutter 2017,
///   "SGDR",
///                 equation 5, without restarts.
///   linear        rate + (lowest - rate) p. Devlin et al. 2019, "BERT", A.2.
///   constant      rate.
///   plateau       rate, times plateau_factor each time that plateau_patience validations in a row
///                 were no better than the best; Bengio 2012, "Practical recommendations for
///                 gradient-based training of deep architectures", 3.1.1.
enum class ScheduleKind { noam, inverse_sqrt, cosine, linear, constant, plateau };
constexpr std::array<std::string_view, 6> names_of(ScheduleKind) {
  return {"noam", "inverse_sqrt", "cosine", "linear", "constant", "plateau"};
}

struct ScheduleConfig {
  ScheduleKind kind = ScheduleKind::inverse_sqrt;
  double rate = 5e-4;  // the highest
  Dim warmup = 4000;   // steps
  double lowest = 0;   // at the end, of cosine and linear
  double noam_factor = 1;
  Dim width = 0;  // d of noam; 0: the width of the model
  double plateau_factor = 0.5;
  Dim plateau_patience = 2;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("kind", kind);
    visit("rate", rate);
    visit("warmup", warmup);
    visit("lowest", lowest);
    visit("noam_factor", noam_factor);
    visit("width", width);
    visit("plateau_factor", plateau_factor);
    visit("plateau_patience", plateau_patience);
  }
};

/// Where a run stands. Where time limits it, p is the part of the time that is over, if that is
/// more than the part of the steps, and the run cannot be repeated bit for bit with a schedule that
/// uses p. Runs that must be repeatable are given steps or epochs alone.
struct Moment {
  Dim step = 1;          // the one to be taken
  Dim total = 0;         // steps of the run; 0: not known
  double time_part = 0;  // of the time that is allowed
};

/// What plateau remembers. Part of a checkpoint.
struct PlateauState {
  Dim waited = 0;
  double factor = 1;

  /// After a validation.
  void see(bool better, const ScheduleConfig& config);

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("waited", waited);
    visit("factor", factor);
  }
};

double learning_rate(const ScheduleConfig& config, const Moment& moment,
                     const PlateauState& plateau = {});

/// An Error if the run that is described cannot have a rate.
void check(const ScheduleConfig& config);

}  // namespace fovea
