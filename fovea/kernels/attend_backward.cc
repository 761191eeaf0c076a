#include "fovea/kernels/attend.h"
#include "fovea/kernels/attend_plain.h"
#include "fovea/kernels/attend_tasks.h"
#include "fovea/kernels/scratch.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/attend_backward.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/attend-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// Floats from one row of scores to the next. Not a power of two: columns are read too, and would
/// meet in the same lines of the cache.
constexpr Dim kScoreRow = kKeyBlock + 16;

/// All rows of queries that share one head of keys, block by block. Weights are made again from the
/// log-sum-exp of each row.
class AttentionBackward {
 public:
  AttentionBackward(const AttendBackwardCall& call, const SharedKeys<float>& keys,
                    ScratchInTurn<float>& memory)
      : call_(call),
        o_(call.o),
        relation_(call.relation),
        keys_(keys),
        depth_(keys.k.cols),
        value_depth_(keys.v.cols),
        key_cols_(RoundUp(depth_, kTileCols)),
        value_cols_(RoundUp(value_depth_, kTileCols)),
        packed_keys_(RoundUp(keys.k.rows, kTileCols)),
        drop_(call.o) {
    float* next = memory.take(
        packed_keys_ * (depth_ + value_depth_ + 2 * key_cols_ + value_cols_) +
        kBlockRows * (depth_ + value_depth_ + 2 * key_cols_ + value_cols_ + 2 * kScoreRow));
    const auto take = [&next](Dim rows, Dim cols) { return (next += rows * cols) - rows * cols; };
    k_transposed_ = take(packed_keys_, depth_);
    v_transposed_ = take(packed_keys_, value_depth_);
    k_ = take(packed_keys_, key_cols_);
    dk_ = take(packed_keys_, key_cols_);
    dv_ = take(packed_keys_, value_cols_);
    q_ = take(kBlockRows, depth_);
    dy_ = take(kBlockRows, value_depth_);
    q_panels_ = take(kBlockRows, key_cols_);
    dq_ = take(kBlockRows, key_cols_);
    dy_panels_ = take(kBlockRows, value_cols_);
    w_ = take(kBlockRows, kScoreRow);
    ds_ = take(kBlockRows, kScoreRow);
  }

  void Run() {
    const Dim panels = packed_keys_ / kTileCols;
    PackPanels(keys_.k, true, depth_, 0, panels, k_transposed_);
    PackPanels(keys_.v, true, value_depth_, 0, panels, v_transposed_);
    PackPanels(keys_.k, false, keys_.k.rows, 0, key_cols_ / kTileCols, k_);
    std::fill_n(dk_, packed_keys_ * key_cols_, 0.0F);
    std::fill_n(dv_, packed_keys_ * value_cols_, 0.0F);
    if (call_.bias_sums.data) {
      for (Dim h = 0; h < keys_.heads; ++h) {
        std::fill_n(BiasSums(keys_.first_head + h), o_.bias.cols, 0.0F);
      }
    }
    for (Dim row = 0; row < keys_.rows(); row += kBlockRows) {
      RowsBackward(RowBlock(keys_, o_, row, std::min(keys_.rows(), row + kBlockRows)));
    }
    CopyOut(dk_, key_cols_, keys_.keys_of(call_.gradients.k, o_.kv_heads));
    CopyOut(dv_, value_cols_, keys_.keys_of(call_.gradients.v, o_.kv_heads));
  }

 private:
  float* BiasSums(Dim head) const {
    return call_.bias_sums[keys_.sequence.index * o_.heads + head];
  }

  static void CopyOut(const float* from, Dim from_row, Rows<float> to) {
    for (Dim r = 0; r < to.rows; ++r) {
      MapRow(from + r * from_row, to[r], to.cols, [](RowVec x) { return x; });
    }
  }

  void RowsBackward(const RowBlock& rows) {
    Load(rows);
    std::fill_n(dq_, rows.count * key_cols_, 0.0F);
    for (Dim begin = rows.all.begin / kKeyBlock * kKeyBlock; begin < rows.all.end;
         begin += kKeyBlock) {
      KeysBackward(rows, KeyBlock(rows, begin, std::min(begin + kKeyBlock, keys_.k.rows)));
    }
    const RowVec scale = hn::Set(RowTag(), o_.scale);
    for (Dim r = 0; r < rows.count; ++r) {
      MapRow(dq_ + r * key_cols_, RowOf(call_.gradients.q, keys_, rows, r, depth_), depth_,
             [scale](RowVec x) { return hn::Mul(x, scale); });
    }
  }

  void Load(const RowBlock& rows) {
    const RowVec scale = hn::Set(RowTag(), o_.scale);
    for (Dim r = 0; r < rows.count; ++r) {
      MapRow(RowOf(call_.in.q, keys_, rows, r, depth_), q_ + r * depth_, depth_,
             [scale](RowVec x) { return hn::Mul(x, scale); });
      const float* y = RowOf(call_.out, keys_, rows, r, value_depth_);
      const float* dy = RowOf(call_.dout, keys_, rows, r, value_depth_);
      CopyOut(dy, 0, {dy_ + r * value_depth_, 1, value_depth_, 0});
      shared_[r] = SumLanes(SumVectors(value_depth_, [y, dy](auto lanes, Dim c) {
        return hn::Mul(lanes.Load(y + c), lanes.Load(dy + c));
      }));
      log_sum_[r] =
          call_.lse[(keys_.sequence.first_query + rows.query[r]) * o_.heads + rows.head[r]];
      if (relation_.distances > 0) {
        std::fill_n(ByDistance(relation_.weights, rows, r), relation_.distances, 0.0F);
        std::fill_n(ByDistance(relation_.dscores, rows, r), relation_.distances, 0.0F);
      }
    }
    PackPanels(rows_of<const float>(q_, rows.count, depth_), false, rows.count, 0,
               key_cols_ / kTileCols, q_panels_);
    PackPanels(rows_of<const float>(dy_, rows.count, value_depth_), false, rows.count, 0,
               value_cols_ / kTileCols, dy_panels_);
  }

  void KeysBackward(const RowBlock& rows, const KeyBlock& keys) {
    MultiplyByKeys(rows, keys, q_, depth_, k_transposed_ + keys.begin * depth_, w_, kScoreRow);
    MultiplyByKeys(rows, keys, dy_, value_depth_, v_transposed_ + keys.begin * value_depth_, ds_,
                   kScoreRow);
    for (Dim r = 0; r < rows.count; ++r) {
      ScoresBackward(rows, keys, r);
      SumDistances(rows, keys, r);
    }
    AddTimesKeys(rows, keys, ds_, kScoreRow, k_ + keys.begin * kTileCols, keys_.k.rows * kTileCols,
                 key_cols_, dq_);
    AddTimesRows(rows, keys, w_, dy_panels_, value_cols_, dv_ + keys.begin * value_cols_);
    AddTimesRows(rows, keys, ds_, q_panels_, key_cols_, dk_ + keys.begin * key_cols_);
  }

  /// Row r of w_ and ds_: from scores and dout_i.v_j to drop(w_ij) and ds_ij, zero out of reach.
  void ScoresBackward(const RowBlock& rows, const KeyBlock& keys, Dim r) {
    const RowTag f;
    float *w = w_ + r * kScoreRow, *ds = ds_ + r * kScoreRow;
    const Reach tile = keys.tile[r / kTileRows], columns = keys.Columns(rows, r);
    const Dim end = RoundUp(keys.end - keys.begin, kTileCols);
    for (float* x : {w, ds}) {
      std::fill(x, x + tile.begin, 0.0F);
      std::fill(x + tile.end, x + end, 0.0F);
    }
    std::fill(w + tile.begin, w + columns.begin, kLowest);
    std::fill(w + columns.end, w + tile.end, kLowest);
    if (o_.bias.data) {
      AddByDistance(o_.bias[rows.head[r]], o_.bias.cols, rows.position[r] - keys.begin, columns, w);
    }
    if (relation_.distances > 0) {
      const Dim position = rows.position[r] - keys.begin;
      AddByDistance(ByDistance(relation_.scores, rows, r), relation_.distances, position, columns,
                    w);
      AddByDistance(ByDistance(relation_.dweights, rows, r), relation_.distances, position, columns,
                    ds);
    }
    if (drop_.Any()) {
      drop_.Draw(keys_.sequence.index, rows.head[r], rows.query[r], keys.begin, tile);
    }
    const RowVec shared = hn::Set(f, shared_[r]);
    const RowVec log_sum = hn::Set(f, log_sum_[r] == kLowest ? 0.0F : log_sum_[r]);
    for (Dim j = tile.begin; j < tile.end; j += kLanes) {
      const RowVec weight = ExpOfWeight(hn::Sub(hn::LoadU(f, w + j), log_sum));
      RowVec dropped = weight, dw = hn::LoadU(f, ds + j);
      if (drop_.Any()) {
        const RowVec kept = drop_.Kept(j);
        dropped = hn::Mul(weight, kept);
        dw = hn::Mul(dw, kept);
      }
      hn::StoreU(dropped, f, w + j);
      hn::StoreU(hn::Mul(weight, hn::Sub(dw, shared)), f, ds + j);
    }
  }

  /// c (keys of the block, cols) += x transposed (keys of the block, rows) times panels of rows.
  void AddTimesRows(const RowBlock& rows, const KeyBlock& keys, const float* x, const float* panels,
                    Dim cols, float* c) {
    const Dim count = keys.end - keys.begin;
    for (Dim key = 0; key < count; key += kTileRows) {
      Reach reached{rows.count, 0};  // the rows that reach any of these keys
      for (Dim t = 0; t * kTileRows < rows.count; ++t) {
        if (keys.tile[t].begin >= key + kTileRows || keys.tile[t].end <= key) continue;
        RowBlock::Include(reached, {t * kTileRows, std::min(rows.count, (t + 1) * kTileRows)});
      }
      if (reached.begin >= reached.end) continue;
      for (Dim column = 0; column < cols; column += kTileCols) {
        const float* panel = panels + (column * rows.count + reached.begin * kTileCols);
        TileProductOf<1, kScoreRow, true>(count - key, x + reached.begin * kScoreRow + key, 1,
                                          panel, reached.end - reached.begin,
                                          c + key * cols + column, cols);
      }
    }
  }

  /// Adds drop(w_ij) and ds_ij of row r to the sums of their distances that are asked for.
  void SumDistances(const RowBlock& rows, const KeyBlock& keys, Dim r) {
    const float *w = w_ + r * kScoreRow, *ds = ds_ + r * kScoreRow;
    const Reach columns = keys.Columns(rows, r);
    const Dim position = rows.position[r] - keys.begin, distances = relation_.distances;
    if (call_.bias_sums.data) {
      SumByDistance(ds, o_.bias.cols, position, columns, BiasSums(rows.head[r]));
    }
    if (distances > 0) {
      SumByDistance(w, distances, position, columns, ByDistance(relation_.weights, rows, r));
      SumByDistance(ds, distances, position, columns, ByDistance(relation_.dscores, rows, r));
    }
  }

  template <class T>
  T* ByDistance(Rows<T> table, const RowBlock& rows, Dim r) const {
    return RowOf(table, keys_, rows, r, relation_.distances);
  }

  const AttendBackwardCall& call_;
  const AttendOptions<float>& o_;
  const RelationTables& relation_;
  const SharedKeys<float>& keys_;
  const Dim depth_, value_depth_, key_cols_, value_cols_, packed_keys_;
  float *k_transposed_, *v_transposed_;  // panels of keys
  float* k_;                             // panels of columns
  float *dk_, *dv_;                      // (packed_keys_, key_cols_ or value_cols_)
  float *q_, *dy_;                       // rows of the block; q_ is scaled
  float *q_panels_, *dy_panels_;         // the same as panels of columns
  float* dq_;                            // (kBlockRows, key_cols_)
  float *w_, *ds_;                       // (kBlockRows, kScoreRow)
  float shared_[kBlockRows];             // dout_i.out_i
  float log_sum_[kBlockRows];
  DropRow drop_;
};

void RunAttentionBackward(const AttendBackwardCall& call, std::span<const AttendTask> tasks) {
  ScratchInTurn<float> memory;
  for (const AttendTask& task : tasks) {
    for (Dim kv = task.kv_begin; kv < task.kv_end; ++kv) {
      const SharedKeys<float> keys(call.in, call.o, task.sequence, kv);
      AttentionBackward(call, keys, memory).Run();
    }
  }
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(RunAttentionBackward);

namespace {

void finish_relation(const AttendBackwardCall& call) {
  const RelationTables& tables = call.relation;
  const AttendOptions<float>& o = call.o;
  add_related(tables.dscores, o.relation.keys, o.scale, o.heads, call.gradients.q);
  const AttendRelation<float>& wanted = call.gradients.relation;
  if (!wanted.keys.data) return;
  add_relation_gradient(tables.dscores, call.in.q, o.scale, o.heads, wanted.keys);
  add_relation_gradient(tables.weights, call.dout, 1, o.heads, wanted.values);
}

}  // namespace

void attend_backward(const AttendInput<float>& input, const AttendOptions<float>& options,
                     Rows<const float> out, const float* lse, Rows<const float> dout,
                     const AttendGradients<float>& gradients) {
  check_attend<float>(input, options, out);
  const AttendGroups groups = attend_groups(input, options, false);
  // Each sequence sums its own gradient of the bias; they are added in order.
  const Dim cols = gradients.bias.data ? options.bias.cols : 0;
  const Dim rows = sequence_count(input) * options.heads;
  const Scratch<float> sums(rows * cols);
  AttendBackwardCall call{input, options, out, lse, dout, gradients, {}};
  const RelationMemory tables(input, options, 4);
  if (options.relation.keys.data) {
    call.relation = {options.relation.keys.rows, tables[0], tables[1], tables[2], tables[3]};
    relate(input.q, options.relation.keys, options.scale, options.heads, tables[0]);
    relate(dout, options.relation.values, 1, options.heads, tables[2]);
  }
  if (cols > 0) call.bias_sums = rows_of(sums.data(), rows, cols);
  const auto run = HWY_DYNAMIC_DISPATCH(RunAttentionBackward);
  parallel_tasks(groups.count(), [&](Dim g) { run(call, groups[g]); });
  for (Dim r = 0; r < rows; ++r) {
    float* total = gradients.bias[r % options.heads];
    for (Dim c = 0; c < cols; ++c) total[c] += call.bias_sums[r][c];
  }
  if (options.relation.keys.data) finish_relation(call);
}

void attend_backward(const AttendInput<double>& input, const AttendOptions<double>& options,
                     Rows<const double> out, const double* lse, Rows<const double> dout,
                     const AttendGradients<double>& gradients) {
  plain::attend_backward(input, options, out, lse, dout, gradients);
}

}  // namespace fovea::kernels
#endif
