#include "fovea/metrics/alignment_error.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include "fovea/base/check.h"

namespace fovea {
namespace {

struct ParsedLink {
  Link link;
  bool sure = true;
};

ParsedLink parse_link(std::string_view text) {
  const char* end = text.data() + text.size();
  ParsedLink out;
  const auto source = std::from_chars(text.data(), end, out.link.first);
  bool good = source.ec == std::errc() && source.ptr != end;
  if (good) {
    const char separator = *source.ptr;
    out.sure = separator == '-';
    const auto target = std::from_chars(source.ptr + 1, end, out.link.second);
    good = (out.sure || separator == '?' || separator == 'p') && target.ec == std::errc() &&
           target.ptr == end && out.link.first >= 0 && out.link.second >= 0;
  }
  FOVEA_CHECK(good, "alignment: expected a link such as 0-1, or 0?1 if only possible; found '",
              text, "'");
  return out;
}

std::vector<ParsedLink> parse(std::string_view line) {
  constexpr std::string_view space = " \t\r\n";
  std::vector<ParsedLink> out;
  for (std::size_t begin = 0; (begin = line.find_first_not_of(space, begin)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(space, begin), line.size());
    out.push_back(parse_link(line.substr(begin, end - begin)));
    begin = end;
  }
  return out;
}

Dim in_both(const std::set<Link>& a, const std::set<Link>& b) {
  std::vector<Link> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return static_cast<Dim>(both.size());
}

/// a / b, where nothing of nothing is all of it.
double ratio(Dim a, Dim b) { return b == 0 ? 1 : static_cast<double>(a) / static_cast<double>(b); }

}  // namespace

std::vector<Link> parse_links(std::string_view line) {
  std::vector<Link> out;
  for (const ParsedLink& parsed : parse(line)) {
    FOVEA_CHECK(parsed.sure, "alignment: ", parsed.link.first, "?", parsed.link.second,
                " is only possible; such links are for references");
    out.push_back(parsed.link);
  }
  return out;
}

GoldLinks parse_gold_links(std::string_view line) {
  GoldLinks out;
  for (const ParsedLink& parsed : parse(line)) {
    (parsed.sure ? out.sure : out.possible).push_back(parsed.link);
  }
  return out;
}

std::string pharaoh(const std::vector<Link>& links) {
  std::string out;
  for (const auto& [source, target] : links) {
    if (!out.empty()) out += ' ';
    out += std::to_string(source) + '-' + std::to_string(target);
  }
  return out;
}

void AlignmentErrors::add(const std::vector<Link>& found, const GoldLinks& gold) {
  const std::set<Link> a(found.begin(), found.end()), s(gold.sure.begin(), gold.sure.end());
  std::set<Link> p = s;
  p.insert(gold.possible.begin(), gold.possible.end());
  links += static_cast<Dim>(a.size());
  sure += static_cast<Dim>(s.size());
  links_in_sure += in_both(a, s);
  links_in_possible += in_both(a, p);
}

double AlignmentErrors::rate() const {
  return 1 - ratio(links_in_sure + links_in_possible, links + sure);
}
double AlignmentErrors::precision() const { return ratio(links_in_possible, links); }
double AlignmentErrors::recall() const { return ratio(links_in_sure, sure); }

}  // namespace fovea
