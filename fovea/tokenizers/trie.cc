#include "fovea/tokenizers/trie.h"

#include <algorithm>

namespace fovea::hub {
namespace {

/// The keys [begin, end) agree in their first `depth` bytes, which lead to `node`.
struct Range {
  std::size_t begin, end, depth;
  std::uint32_t node;
};

}  // namespace

Trie::Trie(std::vector<Key> keys) {
  std::sort(keys.begin(), keys.end());
  cells_.resize(1024);
  std::vector<Range> open = {{0, keys.size(), 0, root}};
  std::vector<unsigned char> labels;
  std::vector<std::size_t> starts;
  while (!open.empty()) {
    Range range = open.back();
    open.pop_back();
    if (range.begin < range.end && keys[range.begin].first.size() == range.depth) {
      if (range.depth > 0) cells_[range.node].value = keys[range.begin].second;
      ++range.begin;
    }
    labels.clear();
    starts.clear();
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const auto label = static_cast<unsigned char>(keys[i].first[range.depth]);
      if (!labels.empty() && labels.back() == label) continue;
      labels.push_back(label);
      starts.push_back(i);
    }
    if (labels.empty()) continue;  // base 0: no cell has this node as its parent
    starts.push_back(range.end);
    const std::uint32_t base = place(labels);
    cells_[range.node].base = base;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      cells_[base + labels[i]].parent = range.node;
      open.push_back({starts[i], starts[i + 1], range.depth + 1, base + labels[i]});
    }
  }
  cells_.resize(end_ + 512UL);
  cells_.shrink_to_fit();
}

/// A base where all these children find their cells free.
std::uint32_t Trie::place(const std::vector<unsigned char>& labels) {
  const auto free = [&](std::uint32_t at) { return at != root && cells_[at].parent == nobody; };
  while (!free(first_free_)) ++first_free_;
  // A node with several children may fail long: its first one then stands after all others, and
  // nodes with one child fill the gaps between them.
  constexpr std::uint32_t patience = 200;
  const auto with_first_at = [&](std::uint32_t cell) {
    return std::max<std::uint32_t>(cell, labels[0]) - labels[0];
  };
  const std::uint32_t first = with_first_at(first_free_), last = with_first_at(end_);
  std::uint32_t base = last;
  for (std::uint32_t at = first; at < std::min(first + patience, last); ++at) {
    if (std::all_of(labels.begin(), labels.end(), [&](unsigned char l) { return free(at + l); })) {
      base = at;
      break;
    }
  }
  end_ = std::max(end_, base + labels.back() + 1);
  if (cells_.size() < end_ + 512UL) cells_.resize(std::max(end_ + 512UL, cells_.size() * 2));
  return base;
}

bool Trie::walk(std::uint32_t& node, std::string_view text) const {
  return std::all_of(text.begin(), text.end(), [&](char byte) { return step(node, byte); });
}

Trie::Match Trie::longest(std::string_view text, std::uint32_t node) const {
  Match found;
  for (std::size_t i = 0; i < text.size() && step(node, text[i]); ++i) {
    if (value(node) >= 0) found = {value(node), i + 1};
  }
  return found;
}

}  // namespace fovea::hub
