/// For tests: a "model" whose logits depend on a source and on everything that was written, by
/// random numbers that a test can draw again.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/base/rng.h"
#include "fovea/decode/stepper.h"

namespace fovea {

class FakeStepper : public Stepper {
 public:
  FakeStepper(std::vector<std::uint64_t> sources, Dim vocabulary)
      : sources_(std::move(sources)), given_(sources_.size()), vocabulary_(vocabulary) {}

  /// Logits of what follows `ids`, control symbols included.
  static std::vector<float> logits(std::uint64_t source, const Ids& ids, Dim vocabulary) {
    const Draws draws = draws_of(source, ids);
    std::vector<float> x(static_cast<std::size_t>(vocabulary));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 2 * draws.normal(i);
    return x;
  }
  /// Two source rows: the attention that the last of `ids` pays to each.
  static std::vector<float> attention(std::uint64_t source, const Ids& ids) {
    const float first = draws_of(source, ids).uniform(1U << 20);
    return {first, 1 - first};
  }

  Tensor step(const Sequences& next) override {
    Tensor result = Tensor::empty({next.segments.count(), vocabulary_});
    for (Dim i = 0; i < next.segments.count(); ++i) {
      Ids& ids = given_.at(static_cast<std::size_t>(i));
      const auto all = next.ids.span<std::int32_t>();
      ids.insert(ids.end(), all.begin() + next.segments.begin(i),
                 all.begin() + next.segments.end(i));
      const auto x = logits(sources_[static_cast<std::size_t>(i)], ids, vocabulary_);
      std::copy(x.begin(), x.end(), result.mutable_view<float>()[i]);
    }
    if (spoil) spoil(result);
    rows_stepped += next.segments.count();
    return result;
  }

  void select(std::span<const Dim> from) override {
    std::vector<std::uint64_t> sources;
    std::vector<Ids> given;
    for (const Dim i : from) {
      sources.push_back(sources_.at(static_cast<std::size_t>(i)));
      given.push_back(given_.at(static_cast<std::size_t>(i)));
    }
    sources_ = std::move(sources);
    given_ = std::move(given);
  }

  void join(Stepper& other) override {
    auto& from = dynamic_cast<FakeStepper&>(other);
    std::move(from.sources_.begin(), from.sources_.end(), std::back_inserter(sources_));
    std::move(from.given_.begin(), from.given_.end(), std::back_inserter(given_));
    from.sources_.clear();
    from.given_.clear();
  }

  std::vector<Tensor> coverage() const override {
    FOVEA_CHECK(tracks_coverage_, "fake stepper: coverage() without track_coverage(true)");
    std::vector<Tensor> result;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      result.push_back(Tensor::from<float>({2}, attention(sources_[i], given_[i])));
    }
    return result;
  }
  void track_coverage(bool on) override { tracks_coverage_ = on; }

  Dim rows_stepped = 0;                // over all steps
  std::function<void(Tensor&)> spoil;  // changes logits before they are given out

 private:
  static Draws draws_of(std::uint64_t source, const Ids& ids) {
    std::uint64_t hash = source;
    for (const std::int32_t id : ids) {
      hash = (hash ^ static_cast<std::uint64_t>(id + 1)) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29;
    }
    return {.seed = 7, .site = hash};
  }

  std::vector<std::uint64_t> sources_;
  std::vector<Ids> given_;
  Dim vocabulary_;
  bool tracks_coverage_ = false;
};

}  // namespace fovea
