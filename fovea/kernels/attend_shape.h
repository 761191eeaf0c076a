/// What the vector code of attention and its plain twin must agree on: sizes, which keys are in
/// reach, which weights are dropped, where captured weights go.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/kernels/attend.h"

namespace fovea::kernels {

/// Keys [begin, end) of a sequence; empty if begin >= end.
struct Reach {
  Dim begin, end;
};

/// One sequence of a batch.
struct AttendSequence {
  Dim index;
  Dim first_query, queries;
  Dim first_key, keys;
  Dim key_row;      // where its keys stand: first_key, unless they are spread out
  Dim first_place;  // where its first query stands among the keys

  Dim position(Dim i) const { return first_place + i; }
};

template <class T>
AttendSequence attend_sequence(const AttendInput<T>& input, Dim s) {
  const auto q = input.q_offsets.subspan(s, 2), k = input.k_offsets.subspan(s, 2);
  const Dim key_row = input.k_rows.empty() ? k[0] : input.k_rows[static_cast<std::size_t>(s)];
  const Dim queries = q[1] - q[0], keys = k[1] - k[0];
  const Dim place =
      input.q_places.empty() ? keys - queries : input.q_places[static_cast<std::size_t>(s)];
  return {s, q[0], queries, k[0], keys, key_row, place};
}

template <class T>
Dim sequence_count(const AttendInput<T>& input) {
  return std::max<Dim>(static_cast<Dim>(input.q_offsets.size()) - 1, 0);
}

/// The keys that a query at `position` may attend to. Both ends rise with the position.
template <class T>
Reach reach_of(const AttendOptions<T>& options, Dim position, Dim keys) {
  Reach reach{0, keys};
  if (options.window >= 0) {
    reach.begin = std::max<Dim>(position - options.window, 0);
    reach.end = std::clamp<Dim>(position + options.window + 1, 0, keys);
  }
  if (options.causal) reach.end = std::clamp<Dim>(position + 1, 0, reach.end);
  return reach;
}

/// Which of `distances` numbers or vectors by distance a key has: its distance, clipped.
inline Dim distance_index(Dim distance, Dim distances) {
  const Dim furthest = distances / 2;
  return std::clamp(distance, -furthest, furthest) + furthest;
}

/// Each weight is decided by 16 random bits of its own: dropped if they are below `limit`.
/// The bits of key j are the (j % 8)-th 16 of the block of draws that index() names.
struct AttendDrop {
  std::uint32_t limit = 0;  // 0: nothing is dropped
  float keep = 1;           // factor of what is kept: one over its true share

  explicit AttendDrop(float share)
      : limit(static_cast<std::uint32_t>(std::lround(share * 65536.0F))),
        keep(65536.0F / static_cast<float>(65536 - limit)) {}

  static constexpr Dim kKeysPerBlock = 8;
  static constexpr Dim kMaxKeys = Dim{1} << 20, kMaxHeads = 1 << 8, kMaxSequences = 1 << 19;

  static std::uint64_t index(Dim sequence, Dim head, Dim query, Dim key) {
    return static_cast<std::uint64_t>(key / kKeysPerBlock | query << 17 | head << 37 |
                                      sequence << 45);
  }
  bool kept(const Draws& draws, Dim sequence, Dim head, Dim query, Dim key) const {
    const auto block = draws.block(index(sequence, head, query, key));
    const Dim t = key % kKeysPerBlock;
    return ((block[static_cast<std::size_t>(t / 2)] >> (16 * (t % 2))) & 0xFFFF) >= limit;
  }
};

/// The chosen queries [begin, end) of a sequence.
template <class T>
Reach captured_queries(const Capture<T>& capture, Dim queries) {
  const auto from_end = [queries](Dim i) { return i < 0 ? i + queries : i; };
  const Dim begin = std::clamp<Dim>(from_end(capture.first_query), 0, queries);
  return {begin, std::clamp<Dim>(from_end(capture.end_query), begin, queries)};
}

/// How many weights sequence s adds, for `all` and `top`.
template <class T>
Dim captured_weights(const Capture<T>& capture, std::span<const Dim> q_offsets,
                     std::span<const Dim> k_offsets, Dim s) {
  const Reach chosen = captured_queries(capture, q_offsets[s + 1] - q_offsets[s]);
  const Dim cols = capture.kind == CaptureKind::all ? k_offsets[s + 1] - k_offsets[s] : capture.top;
  return (chosen.end - chosen.begin) * cols * static_cast<Dim>(capture.heads.size());
}

/// Where the weights of each sequence begin, and how many there are, for `all` and `top`.
template <class T>
std::vector<Dim> capture_offsets(const Capture<T>& capture, std::span<const Dim> q_offsets,
                                 std::span<const Dim> k_offsets) {
  std::vector<Dim> offsets = {0};
  for (Dim s = 0; s + 1 < static_cast<Dim>(q_offsets.size()); ++s) {
    offsets.push_back(offsets.back() + captured_weights(capture, q_offsets, k_offsets, s));
  }
  return offsets;
}

template <class T>
Dim capture_size(const Capture<T>& capture, std::span<const Dim> q_offsets,
                 std::span<const Dim> k_offsets) {
  if (capture.kind != CaptureKind::received) {
    return capture_offsets(capture, q_offsets, k_offsets).back();
  }
  return k_offsets.empty() ? 0 : k_offsets.back() * static_cast<Dim>(capture.heads.size());
}

template <class T>
void check_capture(const Capture<T>& capture, Dim heads) {
  for (std::size_t n = 0; n < capture.heads.size(); ++n) {
    const Dim h = capture.heads[n], before = n == 0 ? -1 : capture.heads[n - 1];
    FOVEA_CHECK(before < h && h < heads, "capture: heads are chosen in rising order below ", heads,
                ", found ", h, " after ", before);
  }
  FOVEA_CHECK(capture.kind != CaptureKind::top || capture.top >= 1,
              "capture: top is at least 1, found ", capture.top);
}

template <class T>
void check_attend(const AttendInput<T>& in, const AttendOptions<T>& o, Rows<const T> out) {
  FOVEA_CHECK(o.heads >= 1 && o.kv_heads >= 1 && o.heads % o.kv_heads == 0, "attend: ", o.heads,
              " heads cannot share ", o.kv_heads, " heads of keys evenly");
  FOVEA_CHECK(in.q.cols % o.heads == 0 && in.q.cols / o.heads * o.kv_heads == in.k.cols,
              "attend: ", in.q.cols, " columns of queries in ", o.heads, " heads do not fit ",
              in.k.cols, " columns of keys in ", o.kv_heads);
  FOVEA_CHECK(in.v.cols % o.kv_heads == 0 && in.v.cols / o.kv_heads * o.heads == out.cols,
              "attend: ", in.v.cols, " columns of values in ", o.kv_heads, " heads do not fit ",
              out.cols, " columns of output in ", o.heads);
  FOVEA_CHECK(in.k.rows == in.v.rows && in.q.rows == out.rows, "attend: ", in.q.rows,
              " queries for ", out.rows, " rows of output, ", in.k.rows, " keys for ", in.v.rows,
              " values");
  FOVEA_CHECK(in.q_offsets.size() == in.k_offsets.size(), "attend: queries of ", sequence_count(in),
              " sequences, keys of ", in.k_offsets.size(), " boundaries");
  const bool covered = in.q_offsets.empty()
                           ? in.q.rows == 0
                           : in.q_offsets.front() == 0 && in.q_offsets.back() == in.q.rows &&
                                 in.k_offsets.front() == 0 &&
                                 (!in.k_rows.empty() || in.k_offsets.back() == in.k.rows);
  FOVEA_CHECK(covered, "attend: the sequences do not cover the rows");
  for (std::size_t s = 0; s < in.k_rows.size(); ++s) {
    const Dim keys = in.k_offsets[s + 1] - in.k_offsets[s];
    FOVEA_CHECK(in.k_rows[s] >= 0 && in.k_rows[s] + keys <= in.k.rows, "attend: the ", keys,
                " keys of sequence ", s, " from row ", in.k_rows[s], " on are not within ",
                in.k.rows, " rows");
  }
  FOVEA_CHECK(in.q_places.empty() || in.q_places.size() + 1 == in.q_offsets.size(),
              "attend: ", in.q_places.size(), " places for ", sequence_count(in), " sequences");
  FOVEA_CHECK(!o.bias.data || (o.bias.rows == o.heads && o.bias.cols % 2 == 1),
              "attend: a bias for ", o.heads, " heads has one row each and an odd number of ",
              "columns, found (", o.bias.rows, ", ", o.bias.cols, ")");
  const AttendRelation<const T>& relation = o.relation;
  FOVEA_CHECK(!relation.keys.data ||
                  (relation.keys.rows % 2 == 1 && relation.keys.rows == relation.values.rows &&
                   relation.keys.cols == in.q.cols / o.heads &&
                   relation.values.cols == in.v.cols / o.kv_heads),
              "attend: relations have an odd number of rows of ", in.q.cols / o.heads, " and ",
              in.v.cols / o.kv_heads, " columns, found (", relation.keys.rows, ", ",
              relation.keys.cols, ") and (", relation.values.rows, ", ", relation.values.cols, ")");
  FOVEA_CHECK(o.drop >= 0 && o.drop < 1, "attend: drop is a share below 1, found ", o.drop);
  FOVEA_CHECK(o.drop == 0 || (in.k.rows < AttendDrop::kMaxKeys &&
                              in.q.rows < AttendDrop::kMaxKeys && o.heads < AttendDrop::kMaxHeads &&
                              sequence_count(in) < AttendDrop::kMaxSequences),
              "attend: too many rows, heads or sequences for dropout");
}

}  // namespace fovea::kernels
