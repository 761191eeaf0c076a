#include "fovea/kernels/amx.h"

#include <atomic>

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace fovea::kernels {
namespace {

std::atomic<bool> allowed{true};

/// Linux lets a process use the tiles, which are 8 KiB more to save with each of its threads, only
/// after it has asked.
bool ask_for_tiles() {
#if defined(__x86_64__) && defined(__linux__)
  constexpr unsigned kBfloat16 = 1U << 22, kTiles = 1U << 24;  // of leaf 7, edx
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return false;
  if ((edx & kBfloat16) == 0 || (edx & kTiles) == 0) return false;
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

}  // namespace

bool can_multiply_amx() {
  static const bool granted = ask_for_tiles();
  return granted && allowed;
}

WithoutAmx::WithoutAmx() : before_(allowed.exchange(false)) {}
WithoutAmx::~WithoutAmx() { allowed = before_; }

}  // namespace fovea::kernels
