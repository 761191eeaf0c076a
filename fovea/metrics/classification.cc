#include "fovea/metrics/classification.h"

#include "fovea/base/check.h"
#include "fovea/metrics/error_rate.h"

namespace fovea {

double ClassScore::precision() const { return metrics::share(right, found); }
double ClassScore::recall() const { return metrics::share(right, given); }
double ClassScore::f1() const { return metrics::share(2 * right, given + found); }

Confusion::Confusion(Dim classes)
    : classes_(classes), counts_(static_cast<std::size_t>(classes * classes), 0) {}

void Confusion::add(Dim given, Dim answered) {
  FOVEA_CHECK(given >= 0 && given < classes_ && answered >= 0 && answered < classes_,
              "confusion: class ", given, " answered by ", answered, ", of ", classes_);
  ++counts_[static_cast<std::size_t>(given * classes_ + answered)];
  ++total_;
}

Dim Confusion::count(Dim given, Dim answered) const {
  return counts_[static_cast<std::size_t>(given * classes_ + answered)];
}

Dim Confusion::right() const {
  Dim sum = 0;
  for (Dim c = 0; c < classes_; ++c) sum += count(c, c);
  return sum;
}

double Confusion::accuracy() const { return metrics::share(right(), total_); }

ClassScore Confusion::score(Dim of_class) const {
  ClassScore score{.right = count(of_class, of_class)};
  for (Dim c = 0; c < classes_; ++c) {
    score.given += count(of_class, c);
    score.found += count(c, of_class);
  }
  return score;
}

double Confusion::macro_f1() const {
  double sum = 0, seen = 0;
  for (Dim c = 0; c < classes_; ++c) {
    const ClassScore one = score(c);
    if (one.given + one.found == 0) continue;
    sum += one.f1();
    ++seen;
  }
  return seen == 0 ? 0 : sum / seen;
}

}  // namespace fovea
