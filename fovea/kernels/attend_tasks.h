/// How attention is cut into tasks for threads. A task owns all that it writes, and no row's bits
/// depend on the cut, so it may follow the number of threads.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "fovea/base/threads.h"
#include "fovea/kernels/attend_relation.h"
#include "fovea/kernels/attend_shape.h"

namespace fovea::kernels {

/// What attend() was called with.
struct AttendCall {
  const AttendInput<float>& in;
  const AttendOptions<float>& o;
  Rows<float> out;
  float* lse;
  const Capture<float>* capture;
  std::span<const Dim> capture_offsets;  // S: where each sequence's weights go
  RelationTables relation = {};
};

/// What attend_backward() was called with.
struct AttendBackwardCall {
  const AttendInput<float>& in;
  const AttendOptions<float>& o;
  Rows<const float> out;
  const float* lse;
  Rows<const float> dout;
  const AttendGradients<float>& gradients;
  Rows<float> bias_sums;  // (S*H, 2R+1): a sequence's own; empty if not wanted
  RelationTables relation = {};
};

/// Heads of keys [kv_begin, kv_end) of one sequence and, of the rows of queries that share each of
/// them (see SharedKeys), [row_begin, row_end).
struct AttendTask {
  Dim sequence;
  Dim kv_begin, kv_end;
  Dim row_begin, row_end;
  double work;
};

/// One head of keys and values of one sequence, and the queries of all heads that read it: row r is
/// query r % queries of the (r / queries)-th of those heads.
template <class T>
struct SharedKeys {
  AttendSequence sequence;
  Dim kv_head;
  Dim first_head;  // of the heads of queries
  Dim heads;       // of queries
  Rows<const T> k, v;

  SharedKeys(const AttendInput<T>& in, const AttendOptions<T>& o, Dim s, Dim head_of_keys)
      : sequence(attend_sequence(in, s)), kv_head(head_of_keys), heads(o.heads / o.kv_heads) {
    first_head = kv_head * heads;
    k = keys_of(in.k, o.kv_heads);
    v = keys_of(in.v, o.kv_heads);
  }

  Dim rows() const { return heads * sequence.queries; }
  Dim head(Dim row) const { return first_head + row / sequence.queries; }
  Dim query(Dim row) const { return row % sequence.queries; }

  /// The part of `all` (K, G*C) that belongs to this sequence and head.
  template <class U>
  Rows<U> keys_of(Rows<U> all, Dim kv_heads) const {
    const Dim cols = all.cols / kv_heads;
    return all.range(sequence.key_row, sequence.key_row + sequence.keys)
        .columns(kv_head * cols, (kv_head + 1) * cols);
  }
};

/// The input with sequences made one that follow each other and look at the same keys, as the
/// hypotheses of a beam look at their source: keys are then packed once for all of them. Only where
/// nothing depends on a query's place or on its sequence's number.
struct JoinedSequences {
  AttendInput<float> input;
  std::vector<Dim> q_offsets = {0}, k_offsets = {0}, k_rows;

  explicit JoinedSequences(const AttendInput<float>& in) : input(in) {
    for (Dim s = 0; s < sequence_count(in); ++s) {
      const AttendSequence sequence = attend_sequence(in, s);
      const bool same = !k_rows.empty() && k_rows.back() == sequence.key_row &&
                        k_offsets.back() - k_offsets[k_offsets.size() - 2] == sequence.keys;
      if (!same) {
        k_rows.push_back(sequence.key_row);
        k_offsets.push_back(k_offsets.back() + sequence.keys);
        q_offsets.push_back(q_offsets.back());
      }
      q_offsets.back() += sequence.queries;
    }
    input.q_offsets = q_offsets, input.k_offsets = k_offsets, input.k_rows = k_rows;
    input.q_places = {};
  }
  JoinedSequences(const JoinedSequences&) = delete;  // `input` points into it
  JoinedSequences& operator=(const JoinedSequences&) = delete;

  static bool fits(const AttendInput<float>& in, const AttendOptions<float>& o) {
    return !in.k_rows.empty() && !o.causal && o.window < 0 && !o.bias.data &&
           !o.relation.keys.data && o.drop == 0;
  }
};

/// Tasks and who does them: the tasks of a group are done by one thread, one after the other.
struct AttendGroups {
  std::vector<AttendTask> tasks;         // the largest first
  std::vector<std::size_t> begin = {0};  // of each group, and the end of the last

  Dim count() const { return static_cast<Dim>(begin.size()) - 1; }
  std::span<const AttendTask> operator[](Dim group) const {
    const auto g = static_cast<std::size_t>(group);
    return std::span(tasks).subspan(begin[g], begin[g + 1] - begin[g]);
  }
};

/// About four groups a thread, the largest tasks first. With `split_rows`, a long sequence's rows
/// may be shared out among several tasks.
template <class T>
AttendGroups attend_groups(const AttendInput<T>& in, const AttendOptions<T>& o, bool split_rows) {
  constexpr double kWorthATask = 1 << 18;  // multiplications
  constexpr Dim kWorthASplit = 192;        // rows
  const Dim heads = o.heads / o.kv_heads, depth = (in.q.cols + in.v.cols * heads) / o.heads;
  // The reach of the middle row stands for the mean; the second term is for packing keys.
  const auto work = [&](const AttendSequence& s, Dim begin, Dim end) {
    const Dim query = s.queries == 0 ? 0 : (begin + end) / 2 % s.queries;
    const Reach reach = reach_of(o, s.position(query), s.keys);
    const auto width = static_cast<double>(std::max<Dim>(reach.end - reach.begin, 0));
    return (width * static_cast<double>(end - begin) + 8.0 * static_cast<double>(s.keys)) *
           static_cast<double>(depth);
  };
  double total = 0;
  for (Dim s = 0; s < sequence_count(in); ++s) {
    const AttendSequence sequence = attend_sequence(in, s);
    total += work(sequence, 0, heads * sequence.queries) * static_cast<double>(o.kv_heads);
  }
  const double share = std::max(kWorthATask, 1.01 * total / (4.0 * thread_count()));

  AttendGroups groups;
  std::vector<AttendTask>& tasks = groups.tasks;
  for (Dim s = 0; s < sequence_count(in); ++s) {
    const AttendSequence sequence = attend_sequence(in, s);
    const Dim rows = heads * sequence.queries;
    const double one_head = work(sequence, 0, rows);
    if (one_head * static_cast<double>(o.kv_heads) <= share) {
      tasks.push_back({s, 0, o.kv_heads, 0, rows, one_head * static_cast<double>(o.kv_heads)});
      continue;
    }
    const Dim most = split_rows ? std::max<Dim>(rows / kWorthASplit, 1) : 1;
    const Dim parts = std::clamp<Dim>(static_cast<Dim>(one_head / share) + 1, 1, most);
    for (Dim kv = 0; kv < o.kv_heads; ++kv) {
      for (Dim p = 0; p < parts; ++p) {
        const Dim begin = rows * p / parts, end = rows * (p + 1) / parts;
        tasks.push_back({s, kv, kv + 1, begin, end, work(sequence, begin, end)});
      }
    }
  }
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const AttendTask& a, const AttendTask& b) { return a.work > b.work; });
  double work_of_group = 0;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    work_of_group += tasks[t].work;
    if (work_of_group < share && t + 1 < tasks.size()) continue;
    groups.begin.push_back(t + 1);
    work_of_group = 0;
  }
  return groups;
}

}  // namespace fovea::kernels
