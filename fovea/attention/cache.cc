#include "fovea/attention/cache.h"

#include <algorithm>
#include <cstring>
#include <limits>

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

void Cache::grow(Layer& layer, Dim capacity) {
  const auto count = static_cast<Dim>(layer.lengths.size());
  Tensor kv = Tensor::empty({count * capacity, layer.kv.cols()}, layer.kv.dtype());
  for (Dim s = 0; s < count; ++s) {
    copy_rows(layer.kv, s * layer.capacity, kv, s * capacity,
              layer.lengths[static_cast<std::size_t>(s)]);
  }
  layer.kv = std::move(kv);
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
    layer.kv = Tensor::empty({0, last - first}, rows.dtype());
  }
  Dim longest = 0;
  for (Dim s = 0; s < sequences_; ++s) {
    longest = std::max(longest, layer.lengths[static_cast<std::size_t>(s)] + segments.length(s));
  }
  if (longest > layer.capacity) grow(layer, std::max<Dim>({longest, 2 * layer.capacity, 16}));

  const auto element = size_of(rows.dtype());
  const auto width = static_cast<std::size_t>(last - first) * element;
  std::vector<Dim> slots;
  for (Dim s = 0; s < sequences_; ++s) {
    Dim& length = layer.lengths[static_cast<std::size_t>(s)];
    slots.push_back(s * layer.capacity);
    for (Dim r = segments.begin(s); r < segments.end(s); ++r, ++length) {
      std::memcpy(static_cast<std::byte*>(layer.kv.mutable_raw()) +
                      static_cast<std::size_t>(slots.back() + length) * width,
                  static_cast<const std::byte*>(rows.raw()) +
                      static_cast<std::size_t>(r * rows.cols() + first) * element,
                  width);
    }
  }
  return {layer.kv, numbers(slots), Segments::of_lengths(layer.lengths)};
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

void Cache::select(std::span<const Dim> from) {
  for (Dim s : from) {
    FOVEA_CHECK(s >= 0 && s < sequences_, "cache: no sequence ", s, " of ", sequences_,
                " to continue");
  }
  const auto count = static_cast<Dim>(from.size());
  for (auto& [name, layer] : layers_) {
    Layer next{.kv = Tensor::empty({count * layer.capacity, layer.kv.cols()}, layer.kv.dtype()),
               .capacity = layer.capacity,
               .lengths = {}};
    for (Dim i = 0; i < count; ++i) {
      const Dim s = from[static_cast<std::size_t>(i)];
      next.lengths.push_back(layer.lengths[static_cast<std::size_t>(s)]);
      copy_rows(layer.kv, s * layer.capacity, next.kv, i * layer.capacity, next.lengths.back());
    }
    layer = std::move(next);
  }
  for (auto& [name, memory] : memories_) {
    Memory next{.kv = memory.kv, .rows = {}, .lengths = {}};
    for (Dim s : from) {
      next.rows.push_back(memory.rows[static_cast<std::size_t>(s)]);
      next.lengths.push_back(memory.lengths[static_cast<std::size_t>(s)]);
    }
    memory = std::move(next);
  }
  sequences_ = count;
}

}  // namespace fovea
