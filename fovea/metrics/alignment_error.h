/// Which word belongs to which: links between the words of two sentences, and how far they are from
/// those of people.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

/// A word of the source and one of the target, counted from 0.
using Link = std::pair<Dim, Dim>;

/// What people said: links that must be, and links that may be. A sure link is possible too,
/// whether listed or not.
struct GoldLinks {
  std::vector<Link> sure, possible;
};

/// Pharaoh format, one sentence a line: "0-0 1-2". Gold links that are only possible are written
/// "1?2" or "1p2".
std::vector<Link> parse_links(std::string_view line);
GoldLinks parse_gold_links(std::string_view line);
std::string pharaoh(const std::vector<Link>& links);

/// AER = 1 - (|A and S| + |A and P|) / (|A| + |S|): links A, sure S, possible P, summed over the
/// corpus. Och and Ney 2003. A link that is listed twice is one link.
struct AlignmentErrors {
  Dim links = 0;
  Dim sure = 0;
  Dim links_in_sure = 0;
  Dim links_in_possible = 0;

  void add(const std::vector<Link>& found, const GoldLinks& gold);

  double rate() const;
  double precision() const;  // |A and P| / |A|
  double recall() const;     // |A and S| / |S|
};

}  // namespace fovea
