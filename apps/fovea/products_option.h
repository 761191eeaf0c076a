/// --bfloat16 and --int8 of the commands that run models.
#pragma once

#include <CLI/CLI.hpp>

#include "fovea/base/check.h"
#include "fovea/kernels/products.h"

namespace fovea::app {

/// One given, products are so from then to the end of the process: weights are packed so when a
/// model is loaded.
inline void add_products(CLI::App& command) {
  CLI::Option* bfloat16 = command.add_flag_callback(
      "--bfloat16",
      [] {
        FOVEA_CHECK(kernels::can_multiply_bfloat16(),
                    "--bfloat16: this CPU does not multiply bfloat16 (AVX512_BF16); leave it out");
        static const kernels::ProductsOf all(kernels::Products::bfloat16);
      },
      "Products of bfloat16, where the CPU has them: often twice as fast or more");
  command
      .add_flag_callback(
          "--int8",
          [] {
            FOVEA_CHECK(kernels::can_multiply_int8(),
                        "--int8: this CPU does not multiply int8 (AVX512_VNNI); leave it out");
            static const kernels::ProductsOf all(kernels::Products::int8);
          },
          "Weights as whole numbers of 8 bits, a quarter of the memory, where the CPU multiplies "
          "them: the fastest; answers may differ a little")
      ->excludes(bfloat16);
}

}  // namespace fovea::app
