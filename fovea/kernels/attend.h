/// Fused attention over sequences of rows, with heads as ranges of columns.
///
///   s_ij = scale q_i.k_j + bias[h][d],   w_i = softmax_j(s_i),   out_i = sum_j drop(w_ij) v_j
///
/// for each sequence, head h and query i; j runs over the keys in reach, and d is the distance
/// j - p_i, clipped to [-R, R]. Vaswani et al. 2017, "Attention is all you need", 3.2, computed
/// block by block as in Dao et al. 2022, "FlashAttention": memory grows with the number of rows,
/// not with its square. With relations, k_j + keys[d] and v_j + values[d] stand for k_j and v_j:
/// Shaw et al. 2018, "Self-attention with relative position representations", eqs. 3 and 4.
///
/// Queries are the last rows of their keys' sequence: query i stands at p_i = i + keys - queries.
/// So one new row against a cache of keys is the same call as a whole sequence against itself.
/// Queries of another sequence (a translation and its source) may be told where they stand.
///
/// Letters: Q, K rows of queries and keys in all; H, G heads of queries and of keys; D, V columns
/// of a head of keys and of values; S sequences.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "fovea/base/rng.h"
#include "fovea/base/view.h"

namespace fovea::kernels {

/// Sequence s: queries [q_offsets[s], q_offsets[s+1]), keys [k_offsets[s], k_offsets[s+1]).
/// Any two of q, k, v may be ranges of columns of one matrix.
template <class T>
struct AttendInput {
  Rows<const T> q;                 // (Q, H*D)
  Rows<const T> k;                 // (K, G*D)
  Rows<const T> v;                 // (K, G*V)
  std::span<const Dim> q_offsets;  // S + 1
  std::span<const Dim> k_offsets;  // S + 1
  /// Where the keys of each sequence stand in k and v, if not one after the other: the slots of a
  /// cache, or a memory that sequences share. For attend() only.
  std::span<const Dim> k_rows = {};  // S, or none
  /// Where the first query of each sequence stands among its keys, if not as above: with `causal`,
  /// a translation that keeps a fixed lag behind its source (Ma et al. 2019, wait-k).
  std::span<const Dim> q_places = {};  // S, or none
};

/// A vector for each distance, clipped to [-R, R], that all heads share.
template <class T>
struct AttendRelation {
  Rows<T> keys = {};    // (2R+1, D); empty: none
  Rows<T> values = {};  // (2R+1, V)
};

template <class T>
struct AttendOptions {
  Dim heads = 1;
  Dim kv_heads = 1;  // head h reads keys and values of head h * kv_heads / heads
  T scale = 1;
  bool causal = false;      // only keys at or before the query: j <= p_i
  Dim window = -1;          // if not negative, only keys no further away: |j - p_i| <= window
  Rows<const T> bias = {};  // (H, 2R+1), by the distance j - p_i clipped to [-R, R]; empty: none
  AttendRelation<const T> relation = {};
  float drop = 0;    // share of weights set to zero; the others grow to make up for them
  Draws draws = {};  // which ones: the same in attend and attend_backward
};

/// Which weights to keep beside the output. They are those before dropout.
enum class CaptureKind {
  all,       // weights: for each sequence, for each chosen head, (chosen queries, keys)
  top,       // weights and keys: (chosen queries, chosen heads * top), largest weight first, then
             // lower key; where fewer keys are in reach, weight 0 of key -1
  received,  // weights: (K, chosen heads): sum over the chosen queries of what a key receives
};

template <class T>
struct Capture {
  CaptureKind kind = CaptureKind::all;
  std::span<const Dim> heads = {};  // in rising order
  Dim first_query = 0;  // of each sequence; negative: from its end, so -1 is only the last
  Dim end_query = std::numeric_limits<Dim>::max();
  Dim top = 8;
  T* weights = nullptr;          // capture_size() elements, for the caller to provide
  std::int32_t* keys = nullptr;  // as many, for `top` only: indices within the sequence
};

/// How many weights `capture` will write.
template <class T>
Dim capture_size(const Capture<T>& capture, std::span<const Dim> q_offsets,
                 std::span<const Dim> k_offsets);

/// Writes out (Q, H*V) and the log of each row's sum of exp(s_ij), lse (Q, H). With nothing in
/// reach a row is zeros and its lse -inf. A row's bits depend neither on threads nor on the other
/// sequences, nor on `capture`.
void attend(const AttendInput<float>& input, const AttendOptions<float>& options, Rows<float> out,
            float* lse, const Capture<float>* capture = nullptr);
void attend(const AttendInput<double>& input, const AttendOptions<double>& options,
            Rows<double> out, double* lse, const Capture<double>* capture = nullptr);

template <class T>
struct AttendGradients {
  Rows<T> q, k, v;                  // of the shapes of the input; written
  Rows<T> bias = {};                // (H, 2R+1), added to; empty if not wanted
  AttendRelation<T> relation = {};  // added to; empty if not wanted
};

/// From out and lse as attend() wrote them and the gradient of out:
///   dv_j = sum_i drop(w_ij) dout_i,   ds_ij = w_ij (drop(dout_i.v_j) - dout_i.out_i),
///   dq_i = scale sum_j ds_ij k_j,     dk_j = scale sum_i ds_ij q_i,     dbias = sums of ds_ij
/// and the same for relations, where dkeys[d] sums up dk_j over all (i, j) of distance d.
void attend_backward(const AttendInput<float>& input, const AttendOptions<float>& options,
                     Rows<const float> out, const float* lse, Rows<const float> dout,
                     const AttendGradients<float>& gradients);
void attend_backward(const AttendInput<double>& input, const AttendOptions<double>& options,
                     Rows<const double> out, const double* lse, Rows<const double> dout,
                     const AttendGradients<double>& gradients);

}  // namespace fovea::kernels
