#include "fovea/kernels/attend.h"

#include "fovea/kernels/attend_plain.h"
#include "fovea/kernels/attend_tasks.h"
#include "fovea/kernels/scratch.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/attend.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/attend-inl.h"
#include "fovea/kernels/attend_capture-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// So few rows read values where they stand.
constexpr Dim kFewRows = 3;

/// The rows of queries that share one head of keys, block by block. With one block of rows, keys
/// are packed a block at a time; with more, all of them once. Rows whose weights are asked for keep
/// them for all blocks of keys, until the largest score and the sum are known.
class Attention {
 public:
  Attention(const AttendCall& call, const SharedKeys<float>& keys, Dim rows,
            ScratchInTurn<float>& memory)
      : call_(call),
        o_(call.o),
        relation_(call.relation),
        keys_(keys),
        capture_(call, keys),
        drop_(call.o),
        depth_(keys.k.cols),
        value_cols_(RoundUp(keys.v.cols, kTileCols)),
        blocks_((keys.k.rows + kKeyBlock - 1) / kKeyBlock),
        packed_keys_(RoundUp(rows <= kBlockRows ? std::min(keys.k.rows, kKeyBlock) : keys.k.rows,
                             kTileCols)),
        row_(RoundUp(capture_.Asked() ? keys.k.rows : std::min(keys.k.rows, kKeyBlock), kTileCols) +
             kLanes),
        dropped_row_(capture_.Asked() && drop_.Any() ? kKeyBlock + kLanes : 0) {
    const Dim at_once = std::min(rows, kBlockRows);
    float* next = memory.take(packed_keys_ * (depth_ + value_cols_) +
                              at_once * (depth_ + row_ + dropped_row_ + value_cols_ + blocks_));
    const auto take = [&next](Dim r, Dim cols) { return (next += r * cols) - r * cols; };
    k_ = take(packed_keys_, depth_);
    v_ = take(packed_keys_, value_cols_);
    q_ = take(at_once, depth_);
    s_ = take(at_once, row_);
    dropped_ = take(at_once, dropped_row_);
    y_ = take(at_once, value_cols_);
    block_max_ = take(at_once, blocks_);
  }

  void Run(Dim begin, Dim end) {
    all_packed_ = end - begin > kBlockRows;
    values_packed_ = end - begin > kFewRows;
    if (all_packed_) Pack(0, keys_.k.rows);
    for (Dim row = begin; row < end; row += kBlockRows) {
      AttendRows(RowBlock(keys_, o_, row, std::min(end, row + kBlockRows)));
    }
    capture_.Finish();
  }

 private:
  void Pack(Dim begin, Dim end) {
    const Rows<const float> k = keys_.k.range(begin, end), v = keys_.v.range(begin, end);
    PackPanels(k, true, depth_, 0, (k.rows + kTileCols - 1) / kTileCols, k_);
    for (Dim c = 0; c < v.cols && values_packed_; c += kTileCols) {
      PackStraightPanel(v, c, 0, v.rows, v_ + c * packed_keys_);
    }
  }

  void AttendRows(const RowBlock& rows) {
    keep_ = false;
    for (Dim r = 0; r < rows.count; ++r) {
      const RowVec scale = hn::Set(RowTag(), o_.scale);
      MapRow(RowOf(call_.in.q, keys_, rows, r, depth_), q_ + r * depth_, depth_,
             [scale](RowVec x) { return hn::Mul(x, scale); });
      if (relation_.distances > 0) std::fill_n(WeightSums(rows, r), relation_.distances, 0.0F);
      max_[r] = kLowest;
      sum_[r] = 0;
      keep_ = keep_ || capture_.Asked(rows.head[r], rows.query[r]);
    }
    std::fill_n(y_, rows.count * value_cols_, 0.0F);
    for (Dim begin = rows.all.begin / kKeyBlock * kKeyBlock; begin < rows.all.end;
         begin += kKeyBlock) {
      AttendKeys(rows, KeyBlock(rows, begin, std::min(begin + kKeyBlock, keys_.k.rows)));
    }
    Finish(rows);
    if (keep_) Keep(rows);
  }

  void AttendKeys(const RowBlock& rows, const KeyBlock& keys) {
    if (!all_packed_) Pack(keys.begin, keys.end);
    const Dim at = all_packed_ ? keys.begin : 0;
    float* s = s_ + (keep_ ? keys.begin : 0);
    MultiplyByKeys(rows, keys, q_, depth_, k_ + at * depth_, s, row_);
    for (Dim r = 0; r < rows.count; ++r) Weigh(rows, keys, r, s + r * row_);
    const float* w = s;
    Dim w_row = row_;
    if (drop_.Any()) {
      float* dropped = dropped_row_ > 0 ? dropped_ : s;
      w_row = dropped_row_ > 0 ? dropped_row_ : row_;
      for (Dim r = 0; r < rows.count; ++r) {
        Drop(rows, keys, r, s + r * row_, dropped + r * w_row);
      }
      w = dropped;
    }
    for (Dim r = 0; r < rows.count && relation_.distances > 0; ++r) {
      SumByDistance(w + r * w_row, relation_.distances, rows.position[r] - keys.begin,
                    keys.Columns(rows, r), WeightSums(rows, r));
    }
    if (values_packed_) {
      AddTimesKeys(rows, keys, w, w_row, v_ + at * kTileCols, packed_keys_ * kTileCols, value_cols_,
                   y_);
    } else {
      AddTimesValues(rows, keys, w, w_row, keys_.v.range(keys.begin, keys.end), value_cols_, y_);
    }
  }

  /// Scores become exp(s - max), where max is the row's largest so far; what was summed before is
  /// brought to it. Milakov and Gimelshein 2018, "Online normalizer calculation for softmax".
  void Weigh(const RowBlock& rows, const KeyBlock& keys, Dim r, float* s) {
    const RowTag f;
    const Reach tile = keys.tile[r / kTileRows], columns = keys.Columns(rows, r);
    std::fill(s + tile.begin, s + columns.begin, kLowest);
    std::fill(s + columns.end, s + tile.end, kLowest);
    if (o_.bias.data) {
      AddByDistance(o_.bias[rows.head[r]], o_.bias.cols, rows.position[r] - keys.begin, columns, s);
    }
    if (relation_.distances > 0) {
      AddByDistance(RowOf(relation_.scores, keys_, rows, r, relation_.distances),
                    relation_.distances, rows.position[r] - keys.begin, columns, s);
    }
    RowVec largest = hn::Set(f, max_[r]);
    for (Dim j = tile.begin; j < tile.end; j += kLanes) {
      largest = hn::Max(largest, hn::LoadU(f, s + j));
    }
    const float before = max_[r], now = MaxLanes(largest);
    block_max_[r * blocks_ + keys.begin / kKeyBlock] = now;
    if (now == kLowest) {  // nothing in reach, or nothing but NaN, which Max may pass over
      for (Dim j = columns.begin; j < columns.end; ++j) {
        if (std::isnan(s[j])) sum_[r] = s[j];
      }
      std::fill(s + tile.begin, s + tile.end, 0.0F);
      return;
    }
    if (before != now && before != kLowest) {
      const float factor = std::exp(before - now);
      sum_[r] *= factor;
      ScaleRow(y_ + r * value_cols_, value_cols_, factor);
      if (relation_.distances > 0) ScaleRow(WeightSums(rows, r), relation_.distances, factor);
    }
    max_[r] = now;
    const RowVec shift = hn::Set(f, now);
    RowVec sum = hn::Zero(f);
    for (Dim j = tile.begin; j < tile.end; j += kLanes) {
      const RowVec w = ExpOfWeight(hn::Sub(hn::LoadU(f, s + j), shift));
      sum = hn::Add(sum, w);
      hn::StoreU(w, f, s + j);
    }
    sum_[r] += SumLanes(sum);
  }

  void Drop(const RowBlock& rows, const KeyBlock& keys, Dim r, const float* w, float* dropped) {
    const RowTag f;
    const Reach tile = keys.tile[r / kTileRows];
    drop_.Draw(keys_.sequence.index, rows.head[r], rows.query[r], keys.begin, tile);
    for (Dim j = tile.begin; j < tile.end; j += kLanes) {
      hn::StoreU(hn::Mul(hn::LoadU(f, w + j), drop_.Kept(j)), f, dropped + j);
    }
  }

  void Finish(const RowBlock& rows) {
    float log_sum[kBlockRows];
    MapRows(max_, sum_, log_sum, rows.count,
            [](RowVec max, RowVec sum) { return hn::Add(max, Log(sum)); });
    for (Dim r = 0; r < rows.count; ++r) {
      const Dim query = keys_.sequence.first_query + rows.query[r];
      call_.lse[query * o_.heads + rows.head[r]] = log_sum[r];
      const float factor = sum_[r] == 0 ? 0.0F : 1 / sum_[r];
      const RowVec factors = hn::Set(RowTag(), factor);
      MapRow(y_ + r * value_cols_, RowOf(call_.out, keys_, rows, r, keys_.v.cols), keys_.v.cols,
             [factors](RowVec x) { return hn::Mul(x, factors); });
      if (relation_.distances > 0) ScaleRow(WeightSums(rows, r), relation_.distances, factor);
    }
  }

  /// What row r has given to the keys of each distance.
  float* WeightSums(const RowBlock& rows, Dim r) const {
    return RowOf(relation_.weights, keys_, rows, r, relation_.distances);
  }

  static void ScaleRow(float* x, Dim count, float factor) {
    const RowVec factors = hn::Set(RowTag(), factor);
    MapRow(x, x, count, [factors](RowVec v) { return hn::Mul(v, factors); });
  }

  /// Brings each block's weights to the row's largest score and divides by the row's sum.
  void Keep(const RowBlock& rows) {
    for (Dim r = 0; r < rows.count; ++r) {
      if (!capture_.Asked(rows.head[r], rows.query[r])) continue;
      const Reach reach = rows.reach[r];
      float* w = s_ + r * row_;
      for (Dim begin = reach.begin; begin < reach.end;) {
        const Dim block = begin / kKeyBlock, end = std::min(reach.end, (block + 1) * kKeyBlock);
        const float brought = std::exp(block_max_[r * blocks_ + block] - max_[r]);
        const RowVec factor = hn::Set(RowTag(), sum_[r] == 0 ? 0.0F : brought / sum_[r]);
        MapRow(w + begin, w + begin, end - begin,
               [factor](RowVec x) { return hn::Mul(x, factor); });
        begin = end;
      }
      capture_.Keep(rows.head[r], rows.query[r], reach, w);
    }
  }

  const AttendCall& call_;
  const AttendOptions<float>& o_;
  const RelationTables& relation_;
  const SharedKeys<float>& keys_;
  WeightCapture capture_;
  DropRow drop_;
  const Dim depth_, value_cols_, blocks_, packed_keys_, row_, dropped_row_;
  float *k_, *v_;  // packed keys (panels of keys) and values (panels of columns)
  // A row for each of a block of rows:
  float* q_;          // depth_ wide, scaled
  float* s_;          // row_ wide: scores, then weights
  float* dropped_;    // dropped_row_ wide: what dropout leaves, where s_ must be kept
  float* y_;          // value_cols_ wide: sums of weighted values
  float* block_max_;  // blocks_ wide: the largest score when a block was weighed
  float max_[kBlockRows], sum_[kBlockRows];
  bool all_packed_ = false, values_packed_ = false;
  bool keep_ = false;  // some row's weights are asked for
};

void RunAttention(const AttendCall& call, std::span<const AttendTask> tasks) {
  ScratchInTurn<float> memory;
  for (const AttendTask& task : tasks) {
    for (Dim kv = task.kv_begin; kv < task.kv_end; ++kv) {
      const SharedKeys<float> keys(call.in, call.o, task.sequence, kv);
      Attention(call, keys, task.row_end - task.row_begin, memory)
          .Run(task.row_begin, task.row_end);
    }
  }
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(RunAttention);

namespace {

void run_attention(const AttendCall& call, bool split_rows) {
  const auto run = HWY_DYNAMIC_DISPATCH(RunAttention);
  const AttendGroups groups = attend_groups(call.in, call.o, split_rows);
  parallel_tasks(groups.count(), [&](Dim g) { run(call, groups[g]); });
}

}  // namespace

void attend(const AttendInput<float>& input, const AttendOptions<float>& options, Rows<float> out,
            float* lse, const Capture<float>* capture) {
  check_attend<float>(input, options, out);
  if (!capture && JoinedSequences::fits(input, options)) {
    const JoinedSequences joined(input);
    run_attention({joined.input, options, out, lse, nullptr, {}}, true);
    return;
  }
  std::vector<Dim> offsets;
  if (capture) {
    check_capture(*capture, options.heads);
    offsets = capture_offsets(*capture, input.q_offsets, input.k_offsets);
  }
  AttendCall call{input, options, out, lse, capture, offsets};
  const AttendRelation<const float>& vectors = options.relation;
  const RelationMemory tables(input, options, 2);
  if (vectors.keys.data) {
    call.relation = {.distances = vectors.keys.rows, .scores = tables[0], .weights = tables[1]};
    relate(input.q, vectors.keys, options.scale, options.heads, tables[0]);
  }
  // What a key receives is a sum over rows: they stay together.
  run_attention(call, !capture || capture->kind != CaptureKind::received);
  if (vectors.keys.data) {
    add_related(call.relation.weights, vectors.values, 1, options.heads, out);
  }
}

void attend(const AttendInput<double>& input, const AttendOptions<double>& options,
            Rows<double> out, double* lse, const Capture<double>* capture) {
  plain::attend(input, options, out, lse, capture);
}

template Dim capture_size(const Capture<float>&, std::span<const Dim>, std::span<const Dim>);
template Dim capture_size(const Capture<double>&, std::span<const Dim>, std::span<const Dim>);

}  // namespace fovea::kernels
#endif
