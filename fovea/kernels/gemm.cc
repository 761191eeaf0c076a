#include "fovea/kernels/gemm.h"

#include <algorithm>

#include "fovea/base/check.h"
#include "fovea/base/threads.h"
#include "fovea/kernels/amx.h"
#include "fovea/kernels/gemm_plain.h"
#include "fovea/kernels/gemm_product.h"
#include "fovea/kernels/products.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/gemm.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/amx-inl.h"
#include "fovea/kernels/gemm-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

GemmTarget ThisTarget(Multiplier multiplier) {
  GemmTarget t{.tile_rows = kTileRows,
               .tile_cols = kTileCols,
               .scratch = PanelsAtOnce(1) * kDepth * kTileCols,
               .panels_at_once = [](Dim rows) { return PanelsAtOnce(rows); },
               .pack_panels = PackPanels,
               .pack_tiles = PackTiles,
               .multiply = MultiplyBlock<Multiplier::floats>};
#if FOVEA_HAS_BFLOAT
  t.twins_along_rows = TwinsAlongRows;
  t.twins_down_rows = TwinsDownRows;
  if (multiplier == Multiplier::twins) t.multiply = MultiplyBlock<Multiplier::twins>;
  if (multiplier == Multiplier::amx) {
    t.tile_rows = kAmx;
    t.panels_at_once = [](Dim) { return Dim{1}; };
    t.multiply = AmxMultiplyBlock;
    t.twins_turned = TwinsTurned;
  }
#endif
#if FOVEA_HAS_QUADS
  t.to_quads = ToQuads;
  if (multiplier == Multiplier::quads) t.multiply = MultiplyBlock<Multiplier::quads>;
#endif
  (void)multiplier;  // floats are all that there is, often
  return t;
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(ThisTarget);

namespace {

// Tiles of rows in a block: enough to pay for bringing a panel into the first cache.
constexpr Dim kBlockTiles = 16;
// Floats of b that are packed at a time and stay in the last cache meanwhile.
constexpr Dim kSlab = 1024 * 1024;
// Multiply-adds that are worth a second thread, and floats copied.
constexpr Dim kGrain = 512 * 1024;
constexpr Dim kCopyGrain = 64 * 1024;
// Blocks for each thread, so that a thread that was held up does not hold up the others.
constexpr Dim kBlocksPerThread = 4;

GemmTarget target(Multiplier multiplier) { return HWY_DYNAMIC_DISPATCH(ThisTarget)(multiplier); }

Multiplier multiplier(bool twins) {
  if (!twins) return Multiplier::floats;
  return can_multiply_amx() ? Multiplier::amx : Multiplier::twins;
}

Dim ceil_div(Dim a, Dim b) { return (a + b - 1) / b; }

struct Release {
  void operator()(float* data) const { Arena::shared().release(data); }
};
using Buffer = std::unique_ptr<float[], Release>;

float* allocate(Dim count) {
  return static_cast<float*>(
      Arena::shared().allocate(sizeof(float) * static_cast<std::size_t>(count)));
}

// An operand as bfloat16, and what holds it.
struct Twins {
  Buffer memory;
  Rows<const float> rows;
};

// Depth is filled up to whole tiles with zeros; a tile may read, but never keeps, rows past the
// end.
Twins to_twins(Rows<const float> x, bool depth_down_rows, bool turn, GemmTarget::ToTwins* convert) {
  const Dim depth = depth_down_rows ? x.rows : x.cols, others = depth_down_rows ? x.cols : x.rows;
  const Dim steps = ceil_div(depth, 2 * kTwinSteps) * kTwinSteps;
  const bool along = !depth_down_rows || turn;
  const Dim rows = along ? others : steps, cols = along ? steps : others;
  Buffer memory(allocate((rows + kTwinSteps) * cols));
  const Rows<float> twins = rows_of(memory.get(), rows, cols);
  parallel_for(rows, kCopyGrain / (2 * cols + 1) + kTwinSteps,
               [&](Dim begin, Dim end) { convert(x, begin, end, twins); });
  return {std::move(memory), twins};
}

// The left operand of a product, whose options then say how it is stored.
Twins left_twins(const GemmTarget& t, Rows<const float> a, GemmOptions<float>& options) {
  const bool turn = options.transpose_a && t.twins_turned;
  Twins twins = to_twins(a, options.transpose_a, turn,
                         turn                  ? t.twins_turned
                         : options.transpose_a ? t.twins_down_rows
                                               : t.twins_along_rows);
  options.transpose_a = options.transpose_a && !turn;
  return twins;
}

Twins right_twins(const GemmTarget& t, Rows<const float> b, bool transpose_b) {
  return to_twins(b, !transpose_b, /*turn=*/false,
                  transpose_b ? t.twins_along_rows : t.twins_down_rows);
}

// An operand as int8, and what holds it.
struct QuadsInMemory {
  Buffer memory;
  Quads quads;
};

QuadsInMemory to_quads(const GemmTarget& t, Rows<const float> x, bool weights) {
  const Dim steps = ceil_div(x.cols, 4 * kQuadSteps) * kQuadSteps;
  Quads quads{
      .rows = rows_of<float>(nullptr, x.rows, steps), .scales = nullptr, .offsets = nullptr};
  Buffer memory(allocate(x.rows * (steps + 1 + quads.blocks())));
  quads.rows.data = memory.get();
  quads.scales = memory.get() + x.rows * steps;
  quads.offsets = reinterpret_cast<std::int32_t*>(quads.scales + x.rows);
  parallel_for(x.rows, kCopyGrain / (x.cols + 1) + 1,
               [&](Dim begin, Dim end) { t.to_quads(x, begin, end, quads, weights); });
  return {std::move(memory), quads};
}

// Panels [first, last) of b.
void pack_panels(const GemmTarget& t, Rows<const float> b, bool transposed, Dim first, Dim last,
                 float* panels) {
  const Dim depth = transposed ? b.cols : b.rows, size = depth * t.tile_cols;
  parallel_for(last - first, kCopyGrain / (size + 1) + 1, [&](Dim begin, Dim end) {
    t.pack_panels(b, transposed, depth, first + begin, first + end, panels + begin * size);
  });
}

void pack_tiles(const GemmTarget& t, Rows<const float> a, Dim count, float* tiles) {
  const Dim grain = kCopyGrain / (a.rows * t.tile_rows + 1) + 1;
  parallel_for(count, grain,
               [&](Dim begin, Dim end) { t.pack_tiles(a, count, begin, end, tiles); });
}

// Few rows wait for b to arrive: they take as long as a tile of them.
Dim threads_for(const GemmTarget& t, const Product& p) {
  const Dim work = std::max(p.c.rows, t.tile_rows) * p.c.cols * p.depth;
  return std::clamp<Dim>(work / kGrain, 1, thread_count());
}

// The columns of panels [first, last), cut into blocks for all threads. Blocks of the same columns
// follow each other. Panels that few rows take side by side are not cut apart.
void multiply_panels(const GemmTarget& t, const Product& p, Dim row_blocks, Dim first, Dim last) {
  const Dim threads = threads_for(t, p), panels = last - first;
  const Dim at_once = t.panels_at_once(p.c.rows), groups = ceil_div(panels, at_once);
  const Dim wanted = threads == 1 ? 1 : threads * kBlocksPerThread;
  Dim col_blocks = std::min(groups, ceil_div(wanted, row_blocks));
  // As many blocks for each thread: 11 for two would leave one of them waiting for a twelfth.
  while (row_blocks * col_blocks % threads != 0 && col_blocks < groups) ++col_blocks;
  const auto cut = [&](Dim col) {
    return first + std::min(panels, at_once * (groups * col / col_blocks));
  };
  const auto multiply_block = [&](Dim i) {
    const Dim row = i % row_blocks, col = i / row_blocks;
    const Buffer scratch(p.panels ? nullptr : allocate(t.scratch));
    const Block block{.tile_begin = p.tile_count * row / row_blocks,
                      .tile_end = p.tile_count * (row + 1) / row_blocks,
                      .panel_begin = cut(col),
                      .panel_end = cut(col + 1)};
    t.multiply(p, block, scratch.get());
  };
  if (threads == 1) {
    for (Dim i = 0; i < row_blocks * col_blocks; ++i) multiply_block(i);
  } else {
    parallel_tasks(row_blocks * col_blocks, multiply_block);
  }
}

void multiply(const GemmTarget& t, Product p) {
  if (p.c.rows == 0 || p.c.cols == 0) return;
  p.tile_count = ceil_div(p.c.rows, t.tile_rows);
  const Dim panels = ceil_div(p.c.cols, t.tile_cols), panel_size = t.tile_cols * p.depth;
  const Dim row_blocks = ceil_div(p.tile_count, kBlockTiles);
  Buffer a_tiles;
  if (p.options.transpose_a) {
    a_tiles.reset(allocate(p.tile_count * t.tile_rows * p.depth));
    pack_tiles(t, p.a, p.tile_count, a_tiles.get());
    p.tiles = a_tiles.get();
  }
  if (p.panels || row_blocks == 1) {
    multiply_panels(t, p, row_blocks, 0, panels);
    return;
  }
  // Many blocks of rows share b: packed once, as much at a time as stays in the cache.
  const Dim slabs = std::clamp<Dim>(ceil_div(panels * panel_size, kSlab), 1, panels);
  const Buffer slab(allocate(ceil_div(panels, slabs) * panel_size));
  p.panels = slab.get();
  for (Dim i = 0; i < slabs; ++i) {
    p.first_panel = panels * i / slabs;
    const Dim end = panels * (i + 1) / slabs;
    pack_panels(t, p.b, p.options.transpose_b, p.first_panel, end, slab.get());
    multiply_panels(t, p, row_blocks, p.first_panel, end);
  }
}

template <class T>
Dim checked_depth(Rows<const T> a, Dim b_depth, Dim b_cols, Rows<T> c, bool transpose_a) {
  const Dim rows = transpose_a ? a.cols : a.rows, depth = transpose_a ? a.rows : a.cols;
  FOVEA_CHECK(depth == b_depth && rows == c.rows && b_cols == c.cols, "gemm: (", rows, ", ", depth,
              ") by (", b_depth, ", ", b_cols, ") cannot give (", c.rows, ", ", c.cols, ")");
  return depth;
}

template <class T>
Dim checked_depth(Rows<const T> a, Rows<const T> b, Rows<T> c, const GemmOptions<T>& options) {
  const bool t = options.transpose_b;
  return checked_depth(a, t ? b.cols : b.rows, t ? b.rows : b.cols, c, options.transpose_a);
}

template <class T>
void batch(std::span<const GemmProblem<T>> problems, const GemmOptions<T>& options) {
  const Dim count = static_cast<Dim>(problems.size());
  const auto one = [&](Dim i) { gemm(problems[i].a, problems[i].b, problems[i].c, options); };
  Dim work = 0;
  for (const auto& p : problems) {
    work += p.c.rows * p.c.cols * (options.transpose_a ? p.a.rows : p.a.cols);
  }
  if (count >= thread_count() && work >= 2 * kGrain) {
    parallel_tasks(count, one);
  } else {  // too few to go round: each may use all threads
    for (Dim i = 0; i < count; ++i) one(i);
  }
}

}  // namespace

bool can_multiply_bfloat16() {
#if HWY_ARCH_X86_64
  static const bool has_instruction = __builtin_cpu_supports("avx512bf16");
  return has_instruction && target(Multiplier::twins).twins_along_rows;
#else
  return false;
#endif
}

bool can_multiply_int8() {
#if HWY_ARCH_X86_64
  static const bool has_instruction = __builtin_cpu_supports("avx512vnni");
  return has_instruction && target(Multiplier::quads).to_quads;
#else
  return false;
#endif
}

template <>
PackedMatrix<float>::PackedMatrix(Rows<const float> b, bool transpose_b)
    : depth_(transpose_b ? b.cols : b.rows), cols_(transpose_b ? b.rows : b.cols), of_(products()) {
  const bool bfloats = of_ == Products::bfloat16;
  const GemmTarget t = target(multiplier(bfloats));
  Twins twins;
  if (bfloats) {
    twins = right_twins(t, b, transpose_b);
    b = twins.rows;
  }
  const Dim panels = ceil_div(cols_, t.tile_cols), steps = transpose_b ? b.cols : b.rows;
  data_.reset(allocate(panels * t.tile_cols * steps));
  pack_panels(t, b, transpose_b, 0, panels, data_.get());
}

// After the panels stand the scales of their columns.
template <>
PackedMatrix<float> PackedMatrix<float>::of_weight(Rows<const float> weight) {
  if (weight_products() != Products::int8) return PackedMatrix(weight, /*transpose_b=*/true);
  const GemmTarget t = target(Multiplier::quads);
  const QuadsInMemory quads = to_quads(t, weight, /*weights=*/true);
  const Dim panels = ceil_div(weight.rows, t.tile_cols), steps = quads.quads.rows.cols;
  PackedMatrix packed;
  packed.depth_ = weight.cols;
  packed.cols_ = weight.rows;
  packed.of_ = Products::int8;
  packed.data_.reset(allocate(panels * t.tile_cols * (steps + 1)));
  pack_panels(t, quads.quads.rows, /*transposed=*/true, 0, panels, packed.data_.get());
  float* scales = packed.data_.get() + panels * t.tile_cols * steps;
  std::fill_n(std::copy_n(quads.quads.scales, weight.rows, scales),
              panels * t.tile_cols - weight.rows, 0.0F);
  return packed;
}

template <>
PackedMatrix<double>::PackedMatrix(Rows<const double> b, bool transpose_b)
    : depth_(transpose_b ? b.cols : b.rows), cols_(transpose_b ? b.rows : b.cols) {
  const auto bytes = sizeof(double) * static_cast<std::size_t>(depth_ * cols_);
  data_.reset(static_cast<double*>(Arena::shared().allocate(bytes)));
  for (Dim k = 0; k < depth_; ++k) {
    for (Dim j = 0; j < cols_; ++j) data_[k * cols_ + j] = transpose_b ? b[j][k] : b[k][j];
  }
}

void gemm(Rows<const float> a, Rows<const float> b, Rows<float> c,
          const GemmOptions<float>& options) {
  const bool bfloats = products() == Products::bfloat16;
  const GemmTarget t = target(multiplier(bfloats));
  Product p{.a = a, .b = b, .c = c, .depth = checked_depth(a, b, c, options), .options = options};
  Twins left, right;
  if (bfloats) {
    left = left_twins(t, a, p.options);
    right = right_twins(t, b, options.transpose_b);
    p.a = left.rows;
    p.b = right.rows;
    p.depth = options.transpose_b ? right.rows.cols : right.rows.rows;
  }
  multiply(t, p);
}

void gemm(Rows<const float> a, const PackedMatrix<float>& b, Rows<float> c,
          const GemmOptions<float>& options) {
  const bool bfloats = b.of() == Products::bfloat16, bytes = b.of() == Products::int8;
  const GemmTarget t = target(bytes ? Multiplier::quads : multiplier(bfloats));
  Product p{.a = a,
            .b = {},
            .c = c,
            .depth = checked_depth(a, b.depth(), b.cols(), c, options.transpose_a),
            .options = options,
            .panels = b.data()};
  Twins left;
  QuadsInMemory left_quads;
  if (bfloats) {
    left = left_twins(t, a, p.options);
    p.a = left.rows;
    p.depth = p.options.transpose_a ? left.rows.rows : left.rows.cols;
  } else if (bytes) {
    FOVEA_CHECK(!options.transpose_a, "gemm: with a weight of int8 rows are expected as they are");
    left_quads = to_quads(t, a, /*weights=*/false);
    p.left = left_quads.quads;
    p.a = p.left.rows;
    p.depth = p.a.cols;
    p.col_scales = b.data() + ceil_div(b.cols(), t.tile_cols) * t.tile_cols * p.depth;
  }
  multiply(t, p);
}

void gemm(Rows<const double> a, Rows<const double> b, Rows<double> c,
          const GemmOptions<double>& options) {
  checked_depth(a, b, c, options);
  plain::gemm(a, b, c, options);
}

void gemm(Rows<const double> a, const PackedMatrix<double>& b, Rows<double> c,
          const GemmOptions<double>& options) {
  GemmOptions<double> stored = options;
  stored.transpose_b = false;
  gemm(a, rows_of(b.data(), b.depth(), b.cols()), c, stored);
}

void gemm_batch(std::span<const GemmProblem<float>> problems, const GemmOptions<float>& options) {
  batch(problems, options);
}
void gemm_batch(std::span<const GemmProblem<double>> problems, const GemmOptions<double>& options) {
  batch(problems, options);
}

}  // namespace fovea::kernels
#endif
