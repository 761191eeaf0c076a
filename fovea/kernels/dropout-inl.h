// Dropout of a range of elements, for kernels that do something else in the same pass.
#if defined(FOVEA_KERNELS_DROPOUT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_DROPOUT_INL_H_
#undef FOVEA_KERNELS_DROPOUT_INL_H_
#else
#define FOVEA_KERNELS_DROPOUT_INL_H_
#endif

#include <algorithm>

#include "fovea/kernels/dropout.h"
#include "fovea/kernels/philox-inl.h"
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// The 16-bit draws of a range of elements, a part at a time.
class DropoutDraws {
 public:
  static constexpr Dim kPart = 512;

  /// For the elements [first, first + count), count <= kPart.
  HWY_INLINE void Draw(const Draws& draws, Dim first, Dim count) {
    const Dim block = first / 8, end = (first + count + 7) / 8;
    for (Dim b = block; b < end; b += kPhiloxBlocks) {
      PhiloxBlocks(draws, static_cast<std::uint64_t>(b), words_ + (b - block) * 4);
    }
    begin_ = first % 8;
  }

  /// x where an element is kept, else 0; i counts from the first element drawn.
  HWY_INLINE RowVec Keep(Dim i, hn::Vec<hn::RebindToSigned<RowTag>> threshold, RowVec x) const {
    const hn::RebindToSigned<RowTag> ints;
    const hn::Rebind<std::uint16_t, RowTag> halves;
    const auto* draws = reinterpret_cast<const std::uint16_t*>(words_) + begin_ + i;
    const auto drawn = hn::PromoteTo(ints, hn::LoadU(halves, draws));
    return hn::IfThenZeroElse(hn::RebindMask(RowTag(), hn::Lt(drawn, threshold)), x);
  }

 private:
  // Not cleared: what Draw did not fill is read only into lanes that are not stored.
  // A part may begin within a block, the last blocks come in a group, and a load may read past
  // them.
  alignas(64) std::uint32_t words_[kPart / 2 + 4 + 4 * kPhiloxBlocks + 16];
  Dim begin_ = 0;
};

/// y = combine(lanes, i, dropout(x)) for elements that count from `first` in the draws and from
/// i = 0 in memory.
template <class Combine>
HWY_INLINE void DropoutMap(const Dropout& config, Dim first, const float* x, float* y, Dim count,
                           Combine combine) {
  const RowVec growth = hn::Set(RowTag(), config.growth());
  const auto threshold = hn::Set(hn::RebindToSigned<RowTag>(), config.threshold());
  DropoutDraws draws;
  for (Dim part = 0; part < count; part += DropoutDraws::kPart) {
    const Dim size = std::min(DropoutDraws::kPart, count - part);
    draws.Draw(config.draws, first + part, size);
    ForEachVector(size, [&](auto lanes, Dim i) {
      const RowVec kept = draws.Keep(i, threshold, hn::Mul(lanes.Load(x + part + i), growth));
      lanes.Store(combine(lanes, part + i, kept), y + part + i);
    });
  }
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
