#include <queue>
#include <vector>

#include "fovea/text/segment.h"
#include "fovea/text/split.h"

namespace fovea::text {
namespace {

/// A part of the word: first a character, later what was merged. Parts are a linked list.
struct Part {
  std::string_view text;  // empty: merged into the part before it
  int before, after;      // -1: none
};

/// Neighbours that together are a piece.
struct Pair {
  int left, right;
  std::size_t bytes;  // of both, when the pair was found: tells whether it still stands
  float score;

  /// The highest score first; of equal ones the leftmost.
  bool operator<(const Pair& other) const {
    return score != other.score ? score < other.score : left > other.left;
  }
};

class Merging {
 public:
  Merging(const PieceTable& pieces, std::string_view word) : pieces_(pieces) {
    for_each_character(word, [&](std::string_view character) {
      const int i = static_cast<int>(parts_.size());
      parts_.push_back({character, i - 1, i + 1});
    });
    if (parts_.empty()) return;
    parts_.back().after = -1;
    for (std::size_t i = 1; i < parts_.size(); ++i) consider(static_cast<int>(i) - 1);
  }

  void run(double dropout, Chance& chance) {
    std::vector<Pair> dropped;  // for this merge only
    while (!pairs_.empty()) {
      const Pair best = pairs_.top();
      pairs_.pop();
      if (!stands(best)) continue;
      if (dropout > 0 && chance.next() < dropout) {
        dropped.push_back(best);
        continue;
      }
      merge(best);
      for (const Pair& pair : dropped) pairs_.push(pair);
      dropped.clear();
    }
  }

  void append(Ids& units) const {
    for (int i = parts_.empty() ? -1 : 0; i >= 0; i = parts_[i].after) {
      append_unit(units, pieces_.find(parts_[i].text));
    }
  }

 private:
  static std::string_view joined(std::string_view left, std::string_view right) {
    return {left.data(), left.size() + right.size()};  // they are neighbours in the word
  }

  void consider(int left) {
    const int right = left < 0 ? -1 : parts_[left].after;
    if (right < 0) return;
    const std::string_view text = joined(parts_[left].text, parts_[right].text);
    const std::int32_t unit = pieces_.find(text);
    if (unit != no_unit) pairs_.push({left, right, text.size(), pieces_[unit].score});
  }

  bool stands(const Pair& pair) const {
    const std::string_view left = parts_[pair.left].text, right = parts_[pair.right].text;
    return !left.empty() && !right.empty() && left.size() + right.size() == pair.bytes;
  }

  void merge(const Pair& pair) {
    Part& left = parts_[pair.left];
    Part& right = parts_[pair.right];
    left.text = joined(left.text, right.text);
    left.after = right.after;
    right.text = {};
    if (left.after >= 0) parts_[left.after].before = pair.left;
    consider(left.before);
    consider(pair.left);
  }

  const PieceTable& pieces_;
  std::vector<Part> parts_;
  std::priority_queue<Pair> pairs_;
};

}  // namespace

void segment_bpe(const PieceTable& pieces, std::string_view word, double dropout, Chance& chance,
                 Ids& units) {
  Merging merging(pieces, word);
  merging.run(dropout, chance);
  merging.append(units);
}

}  // namespace fovea::text
