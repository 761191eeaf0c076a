/// AMX, Intel's instructions for products of small matrices, which servers have since 2023.
#pragma once

namespace fovea::kernels {

/// Whether products of bfloat16 are made by it: where the CPU has it, the system lets this process
/// use it, and nobody said otherwise.
bool can_multiply_amx();

/// While it lives they are made as on CPUs that have no AMX: for tests. What was packed may be used
/// with and without it.
class WithoutAmx {
 public:
  WithoutAmx();
  ~WithoutAmx();
  WithoutAmx(const WithoutAmx&) = delete;
  WithoutAmx& operator=(const WithoutAmx&) = delete;

 private:
  bool before_;
};

}  // namespace fovea::kernels
