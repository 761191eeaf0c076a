#include "fovea/train/average.h"

#include <algorithm>
#include <cstring>

#include "fovea/base/threads.h"
#include "fovea/train/optimizer_state.h"

namespace fovea {
namespace {

constexpr Dim kGrain = 8192;  // numbers that are worth a second thread

}  // namespace

WeightAverage::WeightAverage(const TrainedParams& params, double decay)
    : params_(&params.params()), decay_(decay) {
  FOVEA_CHECK(decay > 0 && decay < 1, ErrorKind::bad_setting,
              "train.average: expected a decay between 0 and 1, found ", decay);
  for (const Parameter& p : params.all()) {
    pairs_.push_back({p.name, p.var.value(), p.var.value().clone()});
  }
}

void WeightAverage::update(Dim step) {
  const auto n = static_cast<double>(step);
  const double decay = std::min(decay_, (1 + n) / (10 + n));
  for (Pair& pair : pairs_) {
    with_real("average", pair.weight.dtype(), [&](auto zero) {
      using T = decltype(zero);
      const T* w = pair.weight.data<T>();
      T* a = pair.average.mutable_data<T>();
      const T rest = static_cast<T>(1 - decay);
      parallel_for(pair.weight.size(), kGrain, [&](Dim begin, Dim end) {
        for (Dim i = begin; i < end; ++i) a[i] += rest * (w[i] - a[i]);
      });
    });
  }
}

void WeightAverage::swap() {
  params_->unpack();
  for (Pair& pair : pairs_) {
    auto* w = static_cast<std::byte*>(pair.weight.mutable_raw());
    std::swap_ranges(w, w + pair.weight.bytes(),
                     static_cast<std::byte*>(pair.average.mutable_raw()));
  }
}

std::vector<NamedTensor> WeightAverage::states() const {
  std::vector<NamedTensor> states;
  for (const Pair& pair : pairs_) states.push_back({pair.name, pair.average});
  return states;
}

void WeightAverage::load(const Params::Source& source) { load_states(states(), source); }

Averaged::Averaged(std::vector<WeightAverage*> averages) : averages_(std::move(averages)) {
  for (WeightAverage* average : averages_) average->swap();
}

Averaged::~Averaged() {
  for (WeightAverage* average : averages_) average->swap();
}

Parked::Parked(Params& params, Which which) : params_(params) {
  for (const Parameter& p : params.all()) {
    if (which == Which::buffers && p.trained) continue;
    before_.emplace_back(p.var.value(), p.var.value().clone());
  }
}

Parked::~Parked() {
  params_.unpack();
  for (auto& [value, before] : before_) {
    std::memcpy(value.mutable_raw(), before.raw(), before.bytes());
  }
}

std::vector<NamedTensor> weights_of(const Params& params) {
  std::vector<NamedTensor> weights;
  for (const Parameter& p : params.all()) weights.push_back({p.name, p.var.value()});
  return weights;
}

void load_weights(Params& params, const Params::Source& source) {
  params.unpack();
  load_states(weights_of(params), source);
}

void load_mean(Params& params, const std::vector<Params::Source>& sources) {
  params.unpack();
  for (NamedTensor& weight : weights_of(params)) {
    with_real("average", weight.tensor.dtype(), [&](auto zero) {
      using T = decltype(zero);
      std::vector<double> sums(static_cast<std::size_t>(weight.tensor.size()));
      for (const Params::Source& source : sources) {
        const Tensor given = source(weight.name);
        FOVEA_CHECK(given.defined() && given.shape() == weight.tensor.shape(), ErrorKind::bad_file,
                    "average: ", weight.name, " is missing from a checkpoint or has another shape");
        const auto numbers = given.span<T>();
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += double{numbers[i]};
      }
      T* mean = weight.tensor.mutable_data<T>();
      const auto count = static_cast<double>(sources.size());
      for (std::size_t i = 0; i < sums.size(); ++i) mean[i] = static_cast<T>(sums[i] / count);
    });
  }
}

}  // namespace fovea
