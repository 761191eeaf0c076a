// Philox4x32-10 for several counters at once: the bits of Draws::block.
#if defined(FOVEA_KERNELS_PHILOX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_PHILOX_INL_H_
#undef FOVEA_KERNELS_PHILOX_INL_H_
#else
#define FOVEA_KERNELS_PHILOX_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "fovea/base/rng.h"
#include "fovea/base/view.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

constexpr Dim kPhiloxBlocks = 1;

HWY_INLINE void PhiloxBlocks(const Draws& draws, std::uint64_t first, std::uint32_t* words) {
  const auto block = draws.block(first);
  std::memcpy(words, block.data(), sizeof(block));
}

#else

using CounterTag = hn::ScalableTag<std::uint64_t>;
using CounterVec = hn::Vec<CounterTag>;

/// One counter a 64-bit lane. Of c0 to c3 only the low halves count: the product reads no more, and
/// what is above is cut off at the end. So a round needs no shuffles.
struct PhiloxState {
  CounterVec c0, c1, c2, c3;
};

HWY_INLINE CounterVec MultiplyLowHalves(CounterVec a, std::uint32_t b) {
  const hn::Repartition<std::uint32_t, CounterTag> words;
  return hn::MulEven(hn::BitCast(words, a), hn::Set(words, b));
}

HWY_INLINE void PhiloxRound(PhiloxState& s, std::uint32_t key0, std::uint32_t key1) {
  const CounterTag d;
  const CounterVec a = MultiplyLowHalves(s.c0, 0xD2511F53U);
  const CounterVec b = MultiplyLowHalves(s.c2, 0xCD9E8D57U);
  s.c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(b), s.c1), hn::Set(d, key0));
  s.c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(a), s.c3), hn::Set(d, key1));
  s.c1 = b;
  s.c3 = a;
}

/// Two vectors of counters side by side: their chains of products overlap.
constexpr Dim kPhiloxVectors = 2;
constexpr Dim kPhiloxLanes = static_cast<Dim>(hn::MaxLanes(CounterTag()));
constexpr Dim kPhiloxBlocks = kPhiloxVectors * kPhiloxLanes;

/// The blocks first, first + 1, ... (kPhiloxBlocks of them, four words each) of `draws`.
HWY_INLINE void PhiloxBlocks(const Draws& draws, std::uint64_t first, std::uint32_t* words) {
  const CounterTag d;
  PhiloxState s[kPhiloxVectors];
  for (Dim v = 0; v < kPhiloxVectors; ++v) {
    const CounterVec index = hn::Iota(d, first + static_cast<std::uint64_t>(v * kPhiloxLanes));
    s[v] = {index, hn::ShiftRight<32>(index), hn::Set(d, draws.site), hn::Set(d, draws.site >> 32)};
  }
  auto key0 = static_cast<std::uint32_t>(draws.seed);
  auto key1 = static_cast<std::uint32_t>(draws.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    for (Dim v = 0; v < kPhiloxVectors; ++v) PhiloxRound(s[v], key0, key1);
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  const CounterVec low = hn::Set(d, 0xFFFFFFFFU);
  for (Dim v = 0; v < kPhiloxVectors; ++v) {
    const CounterVec w01 = hn::Or(hn::And(s[v].c0, low), hn::ShiftLeft<32>(s[v].c1));
    const CounterVec w23 = hn::Or(hn::And(s[v].c2, low), hn::ShiftLeft<32>(s[v].c3));
    hn::StoreInterleaved2(w01, w23, d,
                          reinterpret_cast<std::uint64_t*>(words + v * kPhiloxLanes * 4));
  }
}

#endif

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
