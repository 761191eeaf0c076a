// Keeping the weights that attention makes.
#if defined(FOVEA_KERNELS_ATTEND_CAPTURE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_ATTEND_CAPTURE_INL_H_
#undef FOVEA_KERNELS_ATTEND_CAPTURE_INL_H_
#else
#define FOVEA_KERNELS_ATTEND_CAPTURE_INL_H_
#endif

#include <algorithm>
#include <bit>

#include "fovea/kernels/attend_tasks.h"
#include "fovea/kernels/rows-inl.h"
#include "fovea/kernels/scratch.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// Nothing above it is fewer than `top` of w[0, count), which are not negative: the top-th of the
/// largest of each lane of kGroups vectors, taken in turn. Without branches, unlike a sort.
inline float LeastOfTop(const float* w, Dim count, Dim top) {
  const RowTag f;
  constexpr Dim kGroups = 4;
  if (top > std::min(count, kGroups * kRowLanes)) return 0;
  RowVec group[kGroups];
  for (RowVec& g : group) g = hn::Zero(f);
  Dim j = 0;
  for (; j + kGroups * kRowLanes <= count; j += kGroups * kRowLanes) {
    for (Dim g = 0; g < kGroups; ++g) {
      group[g] = hn::Max(group[g], hn::LoadU(f, w + j + g * kRowLanes));
    }
  }
  ForEachVector(count - j, [&](auto lanes, Dim i) {
    RowVec& g = group[i / kRowLanes];
    g = hn::Max(g, lanes.Load(w + j + i));
  });
  RowVec largest = hn::Zero(f);
  for (Dim n = 0; n < top; ++n) {
    largest = hn::MaxOfLanes(f, hn::Max(hn::Max(group[0], group[1]), hn::Max(group[2], group[3])));
    for (RowVec& g : group) g = hn::IfThenElse(hn::Eq(g, largest), hn::Set(f, -1), g);
  }
  return hn::GetLane(largest);
}

/// The `top` largest of w[reach.begin, reach.end), sorted; equal ones by lower index.
inline void TopOf(const float* w, Reach reach, Dim top, float* weights, std::int32_t* keys) {
  const RowTag f;
  Dim found = 0;
  const auto consider = [&](Dim j) {
    if (found == top && w[j] <= weights[top - 1]) return;
    Dim at = found < top ? found++ : top - 1;  // the last one makes room
    for (; at > 0 && weights[at - 1] < w[j]; --at) {
      weights[at] = weights[at - 1];
      keys[at] = keys[at - 1];
    }
    weights[at] = w[j];
    keys[at] = static_cast<std::int32_t>(j);
  };
  const float least = LeastOfTop(w + reach.begin, reach.end - reach.begin, top);
  const RowVec bound = hn::Set(f, least);
  Dim j = reach.begin;
  for (; j + kRowLanes <= reach.end; j += kRowLanes) {
    const auto mask = hn::Ge(hn::LoadU(f, w + j), bound);
    if (hn::AllFalse(f, mask)) continue;
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(f, mask, bytes);
    for (unsigned bits = bytes[0] | unsigned{bytes[1]} << 8; bits != 0; bits &= bits - 1) {
      consider(j + std::countr_zero(bits));
    }
  }
  for (; j < reach.end; ++j) {
    if (w[j] >= least) consider(j);
  }
  std::fill(weights + found, weights + top, 0.0F);
  std::fill(keys + found, keys + top, -1);
}

/// What a Capture asks of the rows that share one head of keys.
class WeightCapture {
 public:
  WeightCapture(const AttendCall& call, const SharedKeys<float>& keys)
      : capture_(call.capture),
        keys_(keys),
        asked_(Asks(call.capture, keys)),
        chosen_{},
        sums_(asked_ && capture_->kind == CaptureKind::received ? keys.heads * keys.k.rows : 0) {
    if (!asked_) return;
    chosen_ = captured_queries(*capture_, keys.sequence.queries);
    if (capture_->kind == CaptureKind::received) {
      std::fill_n(sums_.data(), keys.heads * keys.k.rows, 0.0F);
    } else {
      begin_ = call.capture_offsets[static_cast<std::size_t>(keys.sequence.index)];
    }
  }

  bool Asked() const { return asked_; }
  bool Asked(Dim head, Dim query) const {
    return asked_ && query >= chosen_.begin && query < chosen_.end && Number(head) >= 0;
  }

  /// Weights of one row that was asked for: w[j] of key j, within `reach`.
  void Keep(Dim head, Dim query, Reach reach, const float* w) {
    if (reach.begin >= reach.end) reach = {0, 0};
    const Dim keys = keys_.k.rows, row = query - chosen_.begin, n = Number(head);
    switch (capture_->kind) {
      case CaptureKind::all: {
        float* to = capture_->weights + begin_ + (n * (chosen_.end - chosen_.begin) + row) * keys;
        std::fill(to, to + reach.begin, 0.0F);
        std::copy(w + reach.begin, w + reach.end, to + reach.begin);
        std::fill(to + reach.end, to + keys, 0.0F);
        break;
      }
      case CaptureKind::top: {
        const Dim at = begin_ + (row * Heads() + n) * capture_->top;
        TopOf(w, reach, capture_->top, capture_->weights + at, capture_->keys + at);
        break;
      }
      case CaptureKind::received: {
        float* sums = sums_.data() + (head - keys_.first_head) * keys;
        MapRows(w + reach.begin, sums + reach.begin, sums + reach.begin, reach.end - reach.begin,
                [](RowVec x, RowVec y) { return hn::Add(x, y); });
        break;
      }
    }
  }

  /// After the last row.
  void Finish() {
    if (!asked_ || capture_->kind != CaptureKind::received) return;
    for (Dim h = 0; h < keys_.heads; ++h) {
      const Dim n = Number(keys_.first_head + h);
      if (n < 0) continue;
      float* to = capture_->weights + keys_.sequence.first_key * Heads() + n;
      for (Dim j = 0; j < keys_.k.rows; ++j) to[j * Heads()] = sums_[h * keys_.k.rows + j];
    }
  }

 private:
  static bool Asks(const Capture<float>* capture, const SharedKeys<float>& keys) {
    return capture && std::any_of(capture->heads.begin(), capture->heads.end(), [&](Dim h) {
             return h >= keys.first_head && h < keys.first_head + keys.heads;
           });
  }
  Dim Heads() const { return static_cast<Dim>(capture_->heads.size()); }
  /// Which of the chosen heads this is; negative if it is not one.
  Dim Number(Dim head) const {
    const auto& heads = capture_->heads;
    const auto at = std::lower_bound(heads.begin(), heads.end(), head);
    return at != heads.end() && *at == head ? at - heads.begin() : -1;
  }

  const Capture<float>* capture_;
  const SharedKeys<float>& keys_;
  bool asked_;
  Reach chosen_;  // queries
  Dim begin_ = 0;
  Scratch<float> sums_;  // (heads, keys): what each key received
};

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
