/// The pieces of a SentencePiece model and their scores. Internal to the room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fovea/text/units.h"

namespace fovea::text {

class PieceTable {
 public:
  struct Piece {
    std::string name;
    float score;  // bpe: minus the rank of its merge; unigram: the logarithm of its probability
  };

  explicit PieceTable(std::vector<Piece> pieces);
  PieceTable(const PieceTable&) = delete;  // numbers_ looks into pieces_
  PieceTable& operator=(const PieceTable&) = delete;

  Dim size() const { return static_cast<Dim>(pieces_.size()); }
  const Piece& operator[](std::int32_t unit) const {
    return pieces_[static_cast<std::size_t>(unit)];
  }
  /// no_unit if there is none of that name.
  std::int32_t find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? no_unit : found->second;
  }
  std::size_t longest() const { return longest_; }  // characters in a piece at most
  float lowest_score() const { return lowest_score_; }

 private:
  std::vector<Piece> pieces_;
  std::unordered_map<std::string_view, std::int32_t> numbers_;
  std::size_t longest_ = 0;
  float lowest_score_ = 0;
};

}  // namespace fovea::text
