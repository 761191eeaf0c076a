/// What the vector code of a matrix product is told; private to gemm.
#pragma once

#include <algorithm>
#include <cstdint>

#include "fovea/base/view.h"
#include "fovea/kernels/gemm.h"

namespace fovea::kernels {

/// Steps of depth that are summed before they are added to c: a panel of them fits the first cache.
constexpr Dim kDepth = 256;

/// Floats of a that stay in the second cache.
constexpr Dim kRowsInCache = 48 * 1024;

/// Steps of depth that twins are filled up to with zeros: whole tiles of AMX.
constexpr Dim kTwinSteps = 16;

/// Steps of depth that quads are filled up to with zeros: whole vectors of floats become numbers.
constexpr Dim kQuadSteps = 4;

/// What multiplies: floats, or twins of bfloat16 (bfloat-inl.h), a vector of sums or a matrix of
/// them at a time, or quads of int8 (quads-inl.h).
enum class Multiplier { floats, twins, amx, quads };

/// Rows as quads, and what makes floats of them again.
struct Quads {
  Rows<float> rows;       // the numbers, four in the place of a float
  float* scales;          // of each row
  std::int32_t* offsets;  // 128 times the sum of each block of depth, (rows, blocks)
  /// Of depth: one even if there is none.
  Dim blocks() const { return (std::max<Dim>(rows.cols, 1) + kDepth - 1) / kDepth; }
};

/// Of twins there are half as many steps of depth, of quads a quarter.
struct Product {
  Rows<const float> a, b;
  Rows<float> c;
  Dim depth = 0;
  GemmOptions<float> options;
  Dim tile_count = 0;             // tiles of rows, nearly equal, at most kTileRows each
  const float* tiles = nullptr;   // a packed, when it is stored transposed
  const float* panels = nullptr;  // b packed, or null: a block packs each panel when it needs it
  Dim first_panel = 0;            // the one that `panels` begins with
  Quads left = {};                // a, if it was made quads
  const float* col_scales = nullptr;  // of b then
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
  // The same of quads; null likewise.
  void (*to_quads)(Rows<const float> x, Dim begin, Dim end, const Quads& to,
                   bool weights) = nullptr;
};

}  // namespace fovea::kernels
