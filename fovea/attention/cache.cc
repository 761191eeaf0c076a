#include "fovea/attention/cache.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "fovea/base/threads.h"

namespace fovea {
namespace {

Tensor numbers(const std::vector<Dim>& values) {
  return Tensor::from<Dim>({static_cast<Dim>(values.size())}, values);
}

/// to[to_row...] = from[from_row...], `count` rows.
void copy_rows(const Tensor& from, Dim from_row, Tensor& to, Dim to_row, Dim count) {
  const auto row = static_cast<std::size_t>(from.cols()) * size_of(from.dtype());
  std::memcpy(static_cast<std::byte*>(to.mutable_raw()) + static_cast<std::size_t>(to_row) * row,
              static_cast<const std::byte*>(from.raw()) + static_cast<std::size_t>(from_row) * row,
              static_cast<std::size_t>(count) * row);
}

}  // namespace

Dim Cache::length(Dim sequence) const {
  FOVEA_CHECK(sequence >= 0 && sequence < sequences_, "cache: no sequence ", sequence, " of ",
              sequences_);
  Dim length = layers_.empty() ? 0 : std::numeric_limits<Dim>::max();
  for (const auto& [name, layer] : layers_) {
    length = std::min(length, layer.lengths[static_cast<std::size_t>(sequence)]);
  }
  return length;
}

Dim Cache::length(const std::string& layer, Dim sequence) const {
  const auto at = layers_.find(layer);
  if (at == layers_.end()) return 0;
  FOVEA_CHECK(sequence >= 0 && sequence < sequences_, "cache: no sequence ", sequence, " of ",
              sequences_);
  return at->second.lengths[static_cast<std::size_t>(sequence)];
}

void Cache::grow(Layer& layer, Dim room, Dim capacity) {
  Tensor kv = Tensor::empty({room * capacity, layer.kv.cols()}, layer.kv.dtype());
  for (std::size_t s = 0; s < layer.slots.size(); ++s) {
    copy_rows(layer.kv, layer.slots[s] * layer.capacity, kv, layer.slots[s] * capacity,
              layer.lengths[s]);
  }
  layer.kv = std::move(kv);
  layer.room = room;
  layer.capacity = capacity;
}

CachedKeys Cache::extend(const std::string& name, const Tensor& rows, Dim first, Dim last,
                         const Segments& segments) {
  FOVEA_CHECK(segments.count() == sequences_ && segments.rows() == rows.rows(), "cache: ", name,
              ": ", segments.count(), " sequences and ", rows.rows(), " rows; the cache holds ",
              sequences_, " sequences");
  Layer& layer = layers_[name];
  if (layer.lengths.empty()) {
    layer.lengths.assign(static_cast<std::size_t>(sequences_), 0);
    layer.slots.resize(layer.lengths.size());
    std::iota(layer.slots.begin(), layer.slots.end(), 0);
    layer.room = sequences_;
    layer.kv = Tensor::empty({0, last - first}, rows.dtype());
  }
  Dim longest = 0;
  for (Dim s = 0; s < sequences_; ++s) {
    longest = std::max(longest, layer.lengths[static_cast<std::size_t>(s)] + segments.length(s));
  }
  if (longest > layer.capacity) {
    grow(layer, layer.room, std::max<Dim>({longest, 2 * layer.capacity, 16}));
  }

  const auto element = size_of(rows.dtype());
  const auto width = static_cast<std::size_t>(last - first) * element;
  std::vector<Dim> begins;
  for (Dim s = 0; s < sequences_; ++s) {
    Dim& length = layer.lengths[static_cast<std::size_t>(s)];
    begins.push_back(layer.slots[static_cast<std::size_t>(s)] * layer.capacity);
    for (Dim r = segments.begin(s); r < segments.end(s); ++r, ++length) {
      std::memcpy(static_cast<std::byte*>(layer.kv.mutable_raw()) +
                      static_cast<std::size_t>(begins.back() + length) * width,
                  static_cast<const std::byte*>(rows.raw()) +
                      static_cast<std::size_t>(r * rows.cols() + first) * element,
                  width);
    }
  }
  return {layer.kv, numbers(begins), Segments::of_lengths(layer.lengths)};
}

CachedKeys Cache::memory(const std::string& name, const Segments& segments,
                         const std::function<Tensor()>& make) {
  Memory& memory = memories_[name];
  if (!memory.kv.defined()) {
    FOVEA_CHECK(segments.count() == sequences_, "cache: ", name, ": a memory of ", segments.count(),
                " sequences for ", sequences_);
    memory.kv = make();
    for (Dim s = 0; s < sequences_; ++s) {
      memory.rows.push_back(segments.begin(s));
      memory.lengths.push_back(segments.length(s));
    }
  }
  return {memory.kv, numbers(memory.rows), Segments::of_lengths(memory.lengths)};
}

Tensor Cache::state(const std::string& layer) const {
  const auto at = states_.find(layer);
  return at == states_.end() ? Tensor() : at->second;
}

void Cache::set_state(const std::string& layer, Tensor rows) {
  FOVEA_CHECK(rows.rows() == sequences_, "cache: ", layer, ": ", rows.rows(), " rows of state for ",
              sequences_, " sequences");
  states_[layer] = std::move(rows);
}

/// The first that continues a sequence takes over its slot. Only the others are copied, to slots
/// that nobody continues.
void Cache::select(Layer& layer, std::span<const Dim> from) {
  const auto count = static_cast<Dim>(from.size());
  if (count > layer.room) grow(layer, count, layer.capacity);
  constexpr Dim none = -1;
  std::vector<Dim> slots(from.size(), none), lengths(from.size());
  std::vector<bool> continued(layer.slots.size()), taken(static_cast<std::size_t>(layer.room));
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto s = static_cast<std::size_t>(from[i]);
    lengths[i] = layer.lengths[s];
    if (continued[s]) continue;
    continued[s] = true;
    slots[i] = layer.slots[s];
    taken[static_cast<std::size_t>(slots[i])] = true;
  }
  auto free = taken.begin();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (slots[i] != none) continue;
    free = std::find(free, taken.end(), false);
    slots[i] = free++ - taken.begin();
    copy_rows(layer.kv, layer.slots[static_cast<std::size_t>(from[i])] * layer.capacity, layer.kv,
              slots[i] * layer.capacity, lengths[i]);
  }
  layer.slots = std::move(slots);
  layer.lengths = std::move(lengths);
}

void Cache::select(std::span<const Dim> from) {
  for (Dim s : from) {
    FOVEA_CHECK(s >= 0 && s < sequences_, "cache: no sequence ", s, " of ", sequences_,
                " to continue");
  }
  std::vector<Layer*> layers;
  for (auto& [name, layer] : layers_) layers.push_back(&layer);
  parallel_tasks(std::ssize(layers),
                 [&](Dim i) { select(*layers[static_cast<std::size_t>(i)], from); });
  for (auto& [name, memory] : memories_) {
    Memory next{.kv = memory.kv, .rows = {}, .lengths = {}};
    for (Dim s : from) {
      next.rows.push_back(memory.rows[static_cast<std::size_t>(s)]);
      next.lengths.push_back(memory.lengths[static_cast<std::size_t>(s)]);
    }
    memory = std::move(next);
  }
  for (auto& [name, state] : states_) {
    Tensor next = Tensor::empty({static_cast<Dim>(from.size()), state.cols()}, state.dtype());
    for (std::size_t i = 0; i < from.size(); ++i) {
      copy_rows(state, from[i], next, static_cast<Dim>(i), 1);
    }
    state = std::move(next);
  }
  sequences_ = static_cast<Dim>(from.size());
}

void Cache::join(Layer& layer, const Layer& other) {
  const auto count = static_cast<Dim>(layer.slots.size() + other.slots.size());
  const Dim room = count <= layer.room ? layer.room : std::max(count, layer.room + layer.room / 2);
  const Dim capacity = std::max(layer.capacity, other.capacity);
  if (room > layer.room || capacity > layer.capacity) grow(layer, room, capacity);
  std::vector<bool> taken(static_cast<std::size_t>(layer.room));
  for (const Dim slot : layer.slots) taken[static_cast<std::size_t>(slot)] = true;
  auto free = taken.begin();
  for (std::size_t s = 0; s < other.slots.size(); ++s) {
    free = std::find(free, taken.end(), false);
    const Dim slot = free++ - taken.begin();
    copy_rows(other.kv, other.slots[s] * other.capacity, layer.kv, slot * layer.capacity,
              other.lengths[s]);
    layer.slots.push_back(slot);
    layer.lengths.push_back(other.lengths[s]);
  }
}

/// Only rows that some sequence still looks at: those of sequences that left are gone.
Cache::Memory Cache::joined(const Memory& a, const Memory& b) {
  Memory all;
  std::vector<std::map<std::pair<Dim, Dim>, Dim>> moved(2);  // where a source stands now
  Dim rows = 0;
  for (const Memory* one : {&a, &b}) {
    auto& to = moved[one == &a ? 0 : 1];
    for (std::size_t s = 0; s < one->rows.size(); ++s) {
      const auto [at, fresh] = to.try_emplace({one->rows[s], one->lengths[s]}, rows);
      if (fresh) rows += one->lengths[s];
      all.rows.push_back(at->second);
      all.lengths.push_back(one->lengths[s]);
    }
  }
  all.kv = Tensor::empty({rows, a.kv.cols()}, a.kv.dtype());
  for (std::size_t s = 0; s < all.rows.size(); ++s) {
    const bool first = s < a.rows.size();
    const Memory& one = first ? a : b;
    copy_rows(one.kv, one.rows[first ? s : s - a.rows.size()], all.kv, all.rows[s], all.lengths[s]);
  }
  return all;
}

void Cache::join(const Cache& other) {
  const auto names_differ = [](const auto& a, const auto& b) {
    return !std::equal(a.begin(), a.end(), b.begin(), b.end(),
                       [](const auto& x, const auto& y) { return x.first == y.first; });
  };
  if (other.sequences_ == 0) return;
  if (sequences_ == 0) {
    *this = other;
    return;
  }
  FOVEA_CHECK(!names_differ(layers_, other.layers_) && !names_differ(memories_, other.memories_) &&
                  !names_differ(states_, other.states_),
              "cache: cannot join what two models have seen, or one before its first step");
  for (auto& [name, layer] : layers_) join(layer, other.layers_.at(name));
  for (auto& [name, memory] : memories_) memory = joined(memory, other.memories_.at(name));
  for (auto& [name, state] : states_) {  // of weights over sources the longest source has the width
    const Tensor& more = other.states_.at(name);
    Tensor all = Tensor::zeros({sequences_ + other.sequences_, std::max(state.cols(), more.cols())},
                               state.dtype());
    const auto width = static_cast<std::size_t>(all.cols()) * size_of(all.dtype());
    auto* to = static_cast<std::byte*>(all.mutable_raw());
    for (const Tensor& part : {state, more}) {
      const auto filled = static_cast<std::size_t>(part.cols()) * size_of(part.dtype());
      for (Dim row = 0; row < part.rows(); ++row, to += width) {
        std::memcpy(
            to, static_cast<const std::byte*>(part.raw()) + static_cast<std::size_t>(row) * filled,
            filled);
      }
    }
    state = std::move(all);
  }
  sequences_ += other.sequences_;
}

}  // namespace fovea
