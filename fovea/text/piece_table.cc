#include "fovea/text/piece_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/text/split.h"

namespace fovea::text {

PieceTable::PieceTable(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const auto& [name, score] = pieces_[i];
    FOVEA_CHECK(!name.empty() && valid_utf8(name), ErrorKind::bad_file, "piece ", i, " is no text");
    FOVEA_CHECK(std::isfinite(score), ErrorKind::bad_file, "piece '", name, "' has no score");
    const bool is_new = numbers_.emplace(name, static_cast<std::int32_t>(i)).second;
    FOVEA_CHECK(is_new, ErrorKind::bad_file, "piece '", name, "' is there twice");
    std::size_t characters = 0;
    for_each_character(name, [&](std::string_view) { ++characters; });
    longest_ = std::max(longest_, characters);
    lowest_score_ = std::min(lowest_score_, score);
  }
}

}  // namespace fovea::text
