/// --bfloat16 and --int8 of the commands that run models.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "fovea/base/check.h"
#include "fovea/kernels/products.h"

namespace fovea::app {

/// One given, products are so from then to the end of the process: weights are packed so when a
/// model is loaded.
inline void add_products(CLI::App& command) {
  struct Given {
    bool bfloat16 = false, int8 = false;
  };
  auto given = std::make_shared<Given>();
  CLI::Option* bfloat16 =
      command.add_flag("--bfloat16", given->bfloat16,
                       "Products of bfloat16, where the CPU has them: often twice as fast or more");
  command
      .add_flag(
          "--int8", given->int8,
          "Weights as whole numbers of 8 bits, a quarter of the memory, where the CPU multiplies "
          "them: the fastest; answers may differ a little")
      ->excludes(bfloat16);
  // Once all options are read: both at once is a mistake on any CPU.
  command.parse_complete_callback([given] {
    if (given->bfloat16) {
      FOVEA_CHECK(kernels::can_multiply_bfloat16(), ErrorKind::bad_setting,
                  "--bfloat16: this CPU does not multiply bfloat16 (AVX512_BF16); leave it out");
      static const kernels::ProductsOf all(kernels::Products::bfloat16);
    }
    if (given->int8) {
      FOVEA_CHECK(kernels::can_multiply_int8(), ErrorKind::bad_setting,
                  "--int8: this CPU does not multiply int8 (AVX512_VNNI); leave it out");
      static const kernels::ProductsOf all(kernels::Products::int8);
    }
  });
}

}  // namespace fovea::app
