/// Included before Highway by every file of kernels, so that all of them are built for the same
/// instruction sets: AVX-512, AVX2 and SSE4 on x86 (and plain C++ for what is older), NEON on ARM.
/// The sets left out bring nothing here over their neighbours (SSSE3, Ice Lake's additions) or have
/// vectors whose length is not known when compiling (SVE), which cannot be held in arrays.
#pragma once

#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
