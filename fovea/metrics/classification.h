/// How good the choice of one of several classes is.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

/// Of one class: what was found of it, and what of that is right.
struct ClassScore {
  Dim right = 0, given = 0, found = 0;  // both; of this class; said to be of it

  double precision() const;  // right / found; 0 of nothing
  double recall() const;     // right / given
  double f1() const;         // the harmonic mean of both
};

/// Counts of (class, answer).
class Confusion {
 public:
  explicit Confusion(Dim classes);

  void add(Dim given, Dim answered);

  Dim classes() const { return classes_; }
  Dim count(Dim given, Dim answered) const;
  Dim total() const { return total_; }
  Dim right() const;
  double accuracy() const;
  ClassScore score(Dim of_class) const;
  /// The mean of the classes' F1, each counted alike however rare it is.
  double macro_f1() const;

 private:
  Dim classes_;
  Dim total_ = 0;
  std::vector<Dim> counts_;  // (classes, classes)
};

}  // namespace fovea
