/// All keys that are a prefix of a text, in one walk: a double array (Aoe 1989, "An efficient
/// digital search algorithm by using a double-array structure"). A step is one load and two
/// comparisons.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fovea::hub {

class Trie {
 public:
  using Key = std::pair<std::string_view, std::int32_t>;  // the value is not negative
  static constexpr std::uint32_t root = 0;

  Trie() : Trie(std::vector<Key>{}) {}
  /// No two keys are alike. An empty one is never found.
  explicit Trie(std::vector<Key> keys);

  /// Moves to the child for this byte, if there is one.
  bool step(std::uint32_t& node, char byte) const {
    const std::uint32_t next = cells_[node].base + static_cast<unsigned char>(byte);
    if (cells_[next].parent != node) return false;
    node = next;
    return true;
  }

  /// The value of the key that ends here, or -1.
  std::int32_t value(std::uint32_t node) const { return cells_[node].value; }

  /// Where a walk along all of the text ends, if it gets so far.
  bool walk(std::uint32_t& node, std::string_view text) const;

  struct Match {
    std::int32_t value = -1;
    std::size_t size = 0;
  };
  /// The longest key that the text begins with, walking on from `node`.
  Match longest(std::string_view text, std::uint32_t node = root) const;

 private:
  static constexpr std::uint32_t nobody = 0xFFFFFFFF;
  struct Cell {
    std::uint32_t base = 0;         // children stand at base + byte
    std::uint32_t parent = nobody;  // whose child stands here
    std::int32_t value = -1;
  };
  std::uint32_t place(const std::vector<unsigned char>& labels);

  std::vector<Cell> cells_;  // 512 and more beyond end_: a step may look past it
  std::uint32_t first_free_ = 1;
  std::uint32_t end_ = 1;  // children stand before it
};

}  // namespace fovea::hub
