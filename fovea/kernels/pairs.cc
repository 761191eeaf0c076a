#include "fovea/kernels/pairs.h"

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/pairs_plain.h"
#include "fovea/kernels/row_blocks.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/pairs.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/math-inl.h"
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// Pairs [begin, end).
void DotPairs(const PairIndex& pairs, Rows<const float> a, Rows<const float> b, Rows<float> s,
              Dim begin, Dim end) {
  const Dim head = a.cols / s.cols;
  for (Dim p = begin; p < end; ++p) {
    const float *x = a[pairs.query[p]], *y = b[pairs.key[p]];
    for (Dim h = 0; h < s.cols; ++h, x += head, y += head) {
      s[p][h] = SumLanes(SumVectors(head, [x, y](auto lanes, Dim c) {
        return hn::Mul(lanes.Load(x + c), lanes.Load(y + c));
      }));
    }
  }
}

/// y = the sum over pairs [begin, end) of w_ph b_j, for head h, whose columns begin at `at`.
void ReadHead(const PairIndex& pairs, Rows<const float> w, Rows<const float> b, Dim h, Dim begin,
              Dim end, float* y) {
  constexpr Dim kVectors = 4;  // running sums stay in registers
  const RowTag f;
  const Dim head = b.cols / w.cols, at = h * head;
  Dim c = 0;
  for (; c + kVectors * kRowLanes <= head; c += kVectors * kRowLanes) {
    RowVec sums[kVectors];
    for (RowVec& sum : sums) sum = hn::Zero(f);
    for (Dim p = begin; p < end; ++p) {
      const RowVec weight = hn::Set(f, w[p][h]);
      const float* from = b[pairs.key[p]] + at + c;
      for (Dim n = 0; n < kVectors; ++n) {
        sums[n] = hn::MulAdd(weight, hn::LoadU(f, from + n * kRowLanes), sums[n]);
      }
    }
    for (Dim n = 0; n < kVectors; ++n) hn::StoreU(sums[n], f, y + c + n * kRowLanes);
  }
  ForEachVector(head - c, [&](auto lanes, Dim n) {
    RowVec sum = hn::Zero(f);
    for (Dim p = begin; p < end; ++p) {
      sum = hn::MulAdd(hn::Set(f, w[p][h]), lanes.Load(b[pairs.key[p]] + at + c + n), sum);
    }
    lanes.Store(sum, y + c + n);
  });
}

/// Queries [begin, end).
void ReadPairs(const PairIndex& pairs, Rows<const float> w, Rows<const float> b, Rows<float> y,
               Dim begin, Dim end) {
  const Dim head = b.cols / w.cols;
  for (Dim i = begin; i < end; ++i) {
    const auto of = pairs.of_query.subspan(static_cast<std::size_t>(i), 2);
    for (Dim h = 0; h < w.cols; ++h) ReadHead(pairs, w, b, h, of[0], of[1], y[i] + h * head);
  }
}

/// Pairs [begin, end).
void SpreadPairs(const PairIndex& pairs, Rows<const float> w, Rows<const float> a, Rows<float> z,
                 Dim begin, Dim end) {
  const Dim head = a.cols / w.cols;
  for (Dim p = begin; p < end; ++p) {
    const float* x = a[pairs.query[p]];
    float* y = z[pairs.key[p]];
    for (Dim h = 0; h < w.cols; ++h, x += head, y += head) {
      const RowVec weight = hn::Set(RowTag(), w[p][h]);
      MapRows(x, y, y, head, [weight](RowVec u, RowVec sum) { return hn::MulAdd(weight, u, sum); });
    }
  }
}

/// Pairs [begin, end).
void AdditivePairs(const PairIndex& pairs, Rows<const float> q, Rows<const float> k, const float* v,
                   float* s, Dim begin, Dim end) {
  for (Dim p = begin; p < end; ++p) {
    const float *x = q[pairs.query[p]], *y = k[pairs.key[p]];
    s[p] = SumLanes(SumVectors(q.cols, [x, y, v](auto lanes, Dim c) {
      return hn::Mul(lanes.Load(v + c), Tanh(hn::Add(lanes.Load(x + c), lanes.Load(y + c))));
    }));
  }
}

/// Pairs [begin, end), all of one query: columns outside, so that dq and dv are sums in registers.
void AdditiveBackwardQuery(const PairIndex& pairs, const PairAdditiveBackward<float>& rows,
                           Dim begin, Dim end, float* dv) {
  const RowTag f;
  const Dim i = pairs.query[begin];
  ForEachVector(rows.q.cols, [&](auto lanes, Dim c) {
    const RowVec q = lanes.Load(rows.q[i] + c), v = lanes.Load(rows.v + c);
    RowVec dq = lanes.Load(rows.dq[i] + c), dv_sum = lanes.Load(dv + c);
    for (Dim p = begin; p < end; ++p) {
      const Dim j = pairs.key[p];
      const RowVec ds = hn::Set(f, rows.ds[p]);
      const RowVec t = Tanh(hn::Add(q, lanes.Load(rows.k[j] + c)));
      const RowVec d = hn::Mul(hn::Mul(ds, v), hn::NegMulAdd(t, t, hn::Set(f, 1)));
      dq = hn::Add(dq, d);
      dv_sum = hn::MulAdd(ds, t, dv_sum);
      lanes.Store(hn::Add(lanes.Load(rows.dk[j] + c), d), rows.dk[j] + c);
    }
    lanes.Store(dq, rows.dq[i] + c);
    lanes.Store(dv_sum, dv + c);
  });
}

/// Pairs [begin, end) of whole queries; adds to dv.
void AdditiveBackwardPairs(const PairIndex& pairs, const PairAdditiveBackward<float>& rows,
                           Dim begin, Dim end, float* dv) {
  while (begin < end) {
    const Dim next = pairs.of_query[static_cast<std::size_t>(pairs.query[begin]) + 1];
    AdditiveBackwardQuery(pairs, rows, begin, next, dv);
    begin = next;
  }
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(DotPairs);
HWY_EXPORT(ReadPairs);
HWY_EXPORT(SpreadPairs);
HWY_EXPORT(AdditivePairs);
HWY_EXPORT(AdditiveBackwardPairs);

namespace {

constexpr Dim kTanhCost = 8;  // elements of a memory-bound loop that take as long as one tanh

Dim pair_count(const PairIndex& pairs) { return pairs.of_query.back(); }

/// Elements that one of `parts` has of all pairs.
Dim share_of(const PairIndex& pairs, Dim cols, Dim parts) {
  return pair_count(pairs) * cols / (parts + 1);
}

}  // namespace

void pair_dot(const PairIndex& pairs, Rows<const float> a, Rows<const float> b, Rows<float> s) {
  const auto run = HWY_DYNAMIC_DISPATCH(DotPairs);
  parallel_for(s.rows, row_grain(a.cols),
               [&](Dim begin, Dim end) { run(pairs, a, b, s, begin, end); });
}

void pair_read(const PairIndex& pairs, Rows<const float> w, Rows<const float> b, Rows<float> y) {
  const auto run = HWY_DYNAMIC_DISPATCH(ReadPairs);
  parallel_for(y.rows, row_grain(share_of(pairs, y.cols, y.rows)),
               [&](Dim begin, Dim end) { run(pairs, w, b, y, begin, end); });
}

void pair_spread(const PairIndex& pairs, Rows<const float> w, Rows<const float> a, Rows<float> z) {
  const auto run = HWY_DYNAMIC_DISPATCH(SpreadPairs);
  const Dim sequences = static_cast<Dim>(pairs.of_sequence.size()) - 1;
  parallel_for(sequences, row_grain(share_of(pairs, z.cols, sequences)), [&](Dim begin, Dim end) {
    run(pairs, w, a, z, pairs.of_sequence[static_cast<std::size_t>(begin)],
        pairs.of_sequence[static_cast<std::size_t>(end)]);
  });
}

void pair_additive(const PairIndex& pairs, Rows<const float> q, Rows<const float> k, const float* v,
                   float* s) {
  const auto run = HWY_DYNAMIC_DISPATCH(AdditivePairs);
  parallel_for(pair_count(pairs), row_grain(kTanhCost * q.cols),
               [&](Dim begin, Dim end) { run(pairs, q, k, v, s, begin, end); });
}

void pair_additive_backward(const PairIndex& pairs, const PairAdditiveBackward<float>& rows) {
  const auto run = HWY_DYNAMIC_DISPATCH(AdditiveBackwardPairs);
  constexpr Dim kSequences = 8;  // that sum up dv together
  const Dim sequences = static_cast<Dim>(pairs.of_sequence.size()) - 1;
  const Dim share = share_of(pairs, kTanhCost * rows.q.cols, sequences);
  sum_over_row_blocks<float, kSequences>(
      sequences, share, rows.q.cols, rows.dv, [&](Dim begin, Dim end, float* dv) {
        run(pairs, rows, pairs.of_sequence[static_cast<std::size_t>(begin)],
            pairs.of_sequence[static_cast<std::size_t>(end)], dv);
      });
}

void pair_dot(const PairIndex& pairs, Rows<const double> a, Rows<const double> b, Rows<double> s) {
  plain::pair_dot(pairs, a, b, s);
}
void pair_read(const PairIndex& pairs, Rows<const double> w, Rows<const double> b, Rows<double> y) {
  plain::pair_read(pairs, w, b, y);
}
void pair_spread(const PairIndex& pairs, Rows<const double> w, Rows<const double> a,
                 Rows<double> z) {
  plain::pair_spread(pairs, w, a, z);
}
void pair_additive(const PairIndex& pairs, Rows<const double> q, Rows<const double> k,
                   const double* v, double* s) {
  plain::pair_additive(pairs, q, k, v, s);
}
void pair_additive_backward(const PairIndex& pairs, const PairAdditiveBackward<double>& rows) {
  plain::pair_additive_backward(pairs, rows);
}

}  // namespace fovea::kernels
#endif
