/// --bfloat16 of the commands that run models.
#pragma once

#include <CLI/CLI.hpp>

#include "fovea/base/check.h"
#include "fovea/kernels/products.h"

namespace fovea::app {

/// Given, products are of bfloat16 from then to the end of the process: weights are packed so when
/// a model is loaded.
inline void add_bfloat16(CLI::App& command) {
  command.add_flag_callback(
      "--bfloat16",
      [] {
        FOVEA_CHECK(kernels::can_multiply_bfloat16(),
                    "--bfloat16: this CPU does not multiply bfloat16 (AVX512_BF16); leave it out");
        static const kernels::ProductsOf all(kernels::Products::bfloat16);
      },
      "Products of bfloat16, where the CPU has them: often twice as fast or more");
}

}  // namespace fovea::app
