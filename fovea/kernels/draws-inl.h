// Draws (base/rng.h) a vector at a time.
#if defined(FOVEA_KERNELS_DRAWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_DRAWS_INL_H_
#undef FOVEA_KERNELS_DRAWS_INL_H_
#else
#define FOVEA_KERNELS_DRAWS_INL_H_
#endif

#include "fovea/base/rng.h"
#include "fovea/base/view.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::uint32_t>;
using WordVec = hn::Vec<Words>;
/// So many blocks of four words are drawn at once.
constexpr Dim kDrawBlocks = static_cast<Dim>(hn::MaxLanes(Words()));

#if HWY_TARGET != HWY_SCALAR
/// The high and low words of x * factor.
HWY_INLINE void MulWide(WordVec x, WordVec factor, WordVec& high, WordVec& low) {
  const Words w;
  const hn::RepartitionToWide<Words> wide;
  const auto even = hn::MulEven(x, factor);
  const auto odd = hn::MulEven(hn::BitCast(w, hn::ShiftRight<32>(hn::BitCast(wide, x))), factor);
  high = hn::OddEven(hn::BitCast(w, odd), hn::BitCast(w, hn::ShiftRight<32>(even)));
  low = hn::OddEven(hn::BitCast(w, hn::ShiftLeft<32>(odd)), hn::BitCast(w, even));
}

/// Blocks [index, index + kDrawBlocks) of `draws`, 4 * kDrawBlocks words. The low word of the index
/// must not overflow within them.
HWY_INLINE void DrawBlocks(const Draws& draws, std::uint64_t index, std::uint32_t* to) {
  const Words w;
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  WordVec c0 = hn::Iota(w, low(index)), c1 = hn::Set(w, low(index >> 32));
  WordVec c2 = hn::Set(w, low(draws.site)), c3 = hn::Set(w, low(draws.site >> 32));
  std::uint32_t key0 = low(draws.seed), key1 = low(draws.seed >> 32);
  const WordVec factor0 = hn::Set(w, 0xD2511F53U), factor1 = hn::Set(w, 0xCD9E8D57U);
  for (int round = 0; round < 10; ++round) {  // as philox() in base/rng.cc
    WordVec high0, low0, high1, low1;
    MulWide(c0, factor0, high0, low0);
    MulWide(c2, factor1, high1, low1);
    c0 = hn::Xor(hn::Xor(high1, c1), hn::Set(w, key0));
    c1 = low1;
    c2 = hn::Xor(hn::Xor(high0, c3), hn::Set(w, key1));
    c3 = low0;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  hn::StoreInterleaved4(c0, c1, c2, c3, w, to);
}
#else
HWY_INLINE void DrawBlocks(const Draws& draws, std::uint64_t index, std::uint32_t* to) {
  const auto block = draws.block(index);
  for (Dim i = 0; i < 4; ++i) to[i] = block[static_cast<std::size_t>(i)];
}
#endif

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
