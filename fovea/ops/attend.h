/// Scaled dot-product attention over sequences, fused: kernels/attend.h says what it computes.
///
/// Letters: Q, K rows of queries and keys in all; H, G heads of queries and of keys; D, V columns
/// of a head of keys and of values; R the furthest distance that is told apart.
#pragma once

#include <vector>

#include "fovea/autograd/apply.h"
#include "fovea/kernels/attend.h"
#include "fovea/tensor/segments.h"

namespace fovea {

/// Weights to keep beside the output, before dropout: what is wanted, and then what was found.
struct AttendCapture {
  kernels::CaptureKind kind = kernels::CaptureKind::all;
  std::vector<Dim> heads = {};  // rising
  Dim first_query = 0;          // of each sequence; negative: from its end
  Dim end_query = std::numeric_limits<Dim>::max();
  Dim top = 8;
  Tensor weights = {};  // laid out as kernels::CaptureKind says
  Tensor keys = {};     // i32, for top
};

struct AttendConfig {
  Dim heads = 1;
  Dim kv_heads = 0;  // 0: as many as heads
  double scale = 0;  // 0: 1 / sqrt(D), Vaswani 2017, eq. 1
  bool causal = false;
  Dim window = -1;  // if not negative, only keys at most so far away
  /// (sequences) i64: where the first query of each stands among its keys; undefined: queries are
  /// the last rows of their keys' sequence.
  Tensor places = {};
  double drop = 0;   // of the weights
  Draws draws = {};  // for drop
  AttendCapture* capture = nullptr;
};

/// What is learned of the distance from query to key, clipped to [-R, R].
struct ByDistance {
  Var bias = {};  // (H, 2R+1), added to the scores of a head
  /// (2R+1, D) and (2R+1, V), added to the keys and values of all heads: Shaw et al. 2018. Both or
  /// none.
  Var key_relation = {}, value_relation = {};
};

namespace op {

/// ByDistance as tensors, or the gradients of it; those that there are not, or that nobody wants,
/// are undefined.
struct DistanceTables {
  Tensor bias = {}, key_relation = {}, value_relation = {};
};

/// What the three forms below share: q, k and v are ranges of columns of whatever was given.
struct AttendCore {
  AttendConfig config;
  Segments q_segments, k_segments;
  Tensor k_rows;   // (sequences) i64: where the keys of each begin, if not one after the other
  Tensor q, k, v;  // the matrices that hold them, perhaps one and the same
  DistanceTables distances;
  Dim q_begin = 0, k_begin = 0, v_begin = 0;  // first column of each
  Dim head = 0, v_head = 0;                   // D, V
  Tensor out, lse;                            // (Q, H*V), (Q, H)

  void check(std::string_view op) const;
  Tensor forward();
  void backward(const Tensor& dy, Tensor& dq, Tensor& dk, Tensor& dv,
                DistanceTables& ddistances) const;

 private:
  template <class T>
  kernels::AttendInput<T> input() const;
  template <class T>
  kernels::AttendOptions<T> options() const;
};

/// q, k, v, and what ByDistance has
struct Attend {
  static constexpr std::string_view name = "attend";
  AttendCore core;
  Tensor forward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& bias,
                 const Tensor& key_relation, const Tensor& value_relation);
  std::array<Tensor, 6> backward(const Tensor& dy, Needs needs) const;
};

/// (q | k | v), and what ByDistance has
struct AttendPacked {
  static constexpr std::string_view name = "attend packed";
  AttendCore core;
  Tensor forward(const Tensor& qkv, const Tensor& bias, const Tensor& key_relation,
                 const Tensor& value_relation);
  std::array<Tensor, 4> backward(const Tensor& dy, Needs needs) const;
};

/// q, (k | v)
struct AttendMemory {
  static constexpr std::string_view name = "attend memory";
  AttendCore core;
  Tensor forward(const Tensor& q, const Tensor& kv);
  std::array<Tensor, 2> backward(const Tensor& dy) const;
};

}  // namespace op

/// q (Q, H*D), k (K, G*D), v (K, G*V) -> (Q, H*V).
Var attend(const Var& q, const Var& k, const Var& v, const Segments& q_segments,
           const Segments& k_segments, const AttendConfig& config, const ByDistance& tables = {});

/// Sequences that attend to themselves: qkv (N, (H + 2G) D) holds q, k and v side by side, as one
/// product makes them.
Var attend_packed(const Var& qkv, const Segments& segments, const AttendConfig& config,
                  const ByDistance& tables = {});

/// Sequences that attend to others: kv (K, 2 G D) holds k and v side by side.
Var attend_memory(const Var& q, const Var& kv, const Segments& q_segments,
                  const Segments& k_segments, const AttendConfig& config);

/// One step of decoding: the first H*D columns of q attend to (k | v) of a cache, where sequence s
/// has its keys from row k_rows[s] on. No tape is made: a cache is not trained through.
Tensor attend_cached(const Tensor& q, const Tensor& kv, const Segments& q_segments,
                     const Segments& k_segments, const Tensor& k_rows, const AttendConfig& config,
                     const ByDistance& tables = {});

}  // namespace fovea
