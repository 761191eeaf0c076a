/// What the vector code of a matrix product is told; private to gemm.
#pragma once

#include "fovea/base/view.h"
#include "fovea/kernels/gemm.h"

namespace fovea::kernels {

/// Steps of depth that are summed before they are added to c: a panel of them fits the first cache.
constexpr Dim kDepth = 256;

/// Floats of a that stay in the second cache.
constexpr Dim kRowsInCache = 48 * 1024;

/// Steps of depth that twins are filled up to with zeros: whole tiles of AMX.
constexpr Dim kTwinSteps = 16;

/// What multiplies: floats, or twins of bfloat16 (bfloat-inl.h), a vector of sums or a matrix of
/// them at a time.
enum class Multiplier { floats, twins, amx };

/// Of twins there are half as many steps of depth.
struct Product {
  Rows<const float> a, b;
  Rows<float> c;
  Dim depth = 0;
  GemmOptions<float> options;
  Dim tile_count = 0;             // tiles of rows, nearly equal, at most kTileRows each
  const float* tiles = nullptr;   // a packed, when it is stored transposed
  const float* panels = nullptr;  // b packed, or null: a block packs each panel when it needs it
  Dim first_panel = 0;            // the one that `panels` begins with
};

/// A rectangle of c.
struct Block {
  Dim tile_begin, tile_end;
  Dim panel_begin, panel_end;
};

/// The functions of one SIMD target and the shape of its tile.
struct GemmTarget {
  Dim tile_rows, tile_cols;
  Dim scratch;  // floats that multiply needs when b is not packed
  Dim (*panels_at_once)(Dim rows);
  void (*pack_panels)(Rows<const float> b, bool transposed, Dim depth, Dim begin, Dim end,
                      float* panels);
  void (*pack_tiles)(Rows<const float> a, Dim count, Dim begin, Dim end, float* tiles);
  void (*multiply)(const Product& product, const Block& block, float* scratch);
  // Floats become twins: rows [begin, end) of them. Null where the target has no such instructions;
  // `turned` makes rows of what is stored transposed, and is null where that is not wanted.
  using ToTwins = void(Rows<const float> x, Dim begin, Dim end, Rows<float> twins);
  ToTwins* twins_along_rows = nullptr;
  ToTwins* twins_down_rows = nullptr;
  ToTwins* twins_turned = nullptr;
};

}  // namespace fovea::kernels
