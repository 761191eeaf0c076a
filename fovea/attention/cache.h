/// What a model has of the places that were already seen, so that a step of decoding computes only
/// its own rows: keys and values of attention layers, states of recurrent ones. A Pass with a cache
/// makes every layer use it; models are the same without.
///
/// Of keys and values each sequence has a slot of rows in each layer, with room to grow: nothing is
/// moved to add a row.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fovea/tensor/segments.h"

namespace fovea {

/// Rows of kv hold keys and values side by side, (k | v): those of sequence s from rows[s] on.
struct CachedKeys {
  Tensor kv;
  Tensor rows;         // (sequences) i64
  Segments sequences;  // how many each has
};

class Cache {
 public:
  explicit Cache(Dim sequences) : sequences_(sequences) {}

  Dim sequences() const { return sequences_; }
  /// Places of a sequence that every layer has seen: where its next row stands.
  Dim length(Dim sequence) const;
  /// What one layer has seen: inside a step, layers differ.
  Dim length(const std::string& layer, Dim sequence) const;

  /// Self attention: adds columns [first, last) of the new rows to what `layer` holds, and gives
  /// all.
  CachedKeys extend(const std::string& layer, const Tensor& rows, Dim first, Dim last,
                    const Segments& segments);

  /// Attention to a memory (the encoder's rows): its keys and values are computed once, by `make`.
  CachedKeys memory(const std::string& layer, const Segments& segments,
                    const std::function<Tensor()>& make);

  /// The rows of the memory have changed: their keys and values are computed anew.
  void forget_memory() { memories_.clear(); }

  /// What a recurrent layer left after the last place, one row a sequence; undefined before the
  /// first.
  Tensor state(const std::string& layer) const;
  void set_state(const std::string& layer, Tensor rows);

  /// From now on sequence i continues what was sequence from[i]. A beam that is reordered, split or
  /// finished is this call.
  void select(std::span<const Dim> from);
  /// The sequences of another cache of the same layers stand after these from now on.
  void join(const Cache& other);

 private:
  struct Layer {
    Tensor kv;                        // (room * capacity, columns)
    Dim room = 0, capacity = 0;       // slots, rows of each
    std::vector<Dim> slots, lengths;  // of each sequence
  };
  struct Memory {
    Tensor kv;
    std::vector<Dim> rows, lengths;  // sequences of one source share its rows
  };
  static void grow(Layer& layer, Dim room, Dim capacity);
  static void select(Layer& layer, std::span<const Dim> from);
  static void join(Layer& layer, const Layer& other);
  static Memory joined(const Memory& a, const Memory& b);

  Dim sequences_;
  std::map<std::string, Layer> layers_;
  std::map<std::string, Memory> memories_;
  std::map<std::string, Tensor> states_;
};

}  // namespace fovea
