#include "fovea/inspect/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "fovea/inspect/terminal_shades.h"
#include "fovea/picture/display_text.h"

namespace fovea {
namespace {

constexpr Dim tallest_label = 16;
/// A map without a larger weight would be all but empty: its shades go up to its largest.
constexpr float faint_below = 0.4F;

float largest_of(const AttentionMap& map) {
  float largest = 0;
  for (const float weight : map.weights.span<float>()) largest = std::max(largest, weight);
  return largest;
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// No locale at all is common in containers, whose terminals show Unicode nevertheless.
bool locale_has_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = environment(name);
    if (locale.empty()) continue;
    return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return true;
}

class TerminalMap {
 public:
  TerminalMap(const AttentionMap& map, const TerminalStyle& style)
      : map_(map),
        style_(style),
        charset_(style.shades == Shades::ascii ? Charset::ascii : Charset::unicode),
        largest_(largest_of(map)) {
    margin_ = widest(map.queries, std::max<Dim>(style.width / 3, 4));
    Dim side_by_side = 0;
    for (const std::string& key : map.keys) {
      columns_.push_back(std::max<Dim>(display_width(displayable(key, charset_)), 2) + 1);
      side_by_side += columns_.back();
    }
    vertical_ = side_by_side > room();
    if (vertical_) {
      const bool narrow = 2 * static_cast<Dim>(columns_.size()) > room() && !wide_keys();
      std::fill(columns_.begin(), columns_.end(), narrow ? 1 : 2);
    }
  }

  std::string draw() const {
    std::string out =
        cut_to_width(displayable(map_.title, charset_) + legend(), style_.width, charset_) + "\n";
    for (std::size_t begin = 0; begin < columns_.size();) {
      std::size_t end = begin + 1;  // one column at least, however narrow the terminal
      Dim used = columns_[begin];
      while (end < columns_.size() && used + columns_[end] <= room()) used += columns_[end++];
      if (begin > 0) out += "\n";
      out += vertical_ ? vertical_names(begin, end) : names(begin, end);
      for (std::size_t q = 0; q < map_.queries.size(); ++q) out += line(q, begin, end);
      begin = end;
    }
    return out;
  }

 private:
  Dim room() const { return style_.width - margin_ - 1; }

  bool is_faint() const { return largest_ > 0 && largest_ < faint_below; }
  std::string legend() const {
    return is_faint() ? concat("  (the strongest: ", std::round(100 * largest_) / 100, ")") : "";
  }

  Dim widest(const std::vector<std::string>& labels, Dim most) const {
    Dim width = 0;
    for (const std::string& l : labels) {
      width = std::max(width, display_width(displayable(l, charset_)));
    }
    return std::min(width, most);
  }

  bool wide_keys() const {
    for (const std::string& key : map_.keys) {
      for (const std::string& glyph : glyphs(displayable(key, charset_))) {
        if (display_width(glyph) > 1) return true;
      }
    }
    return false;
  }

  static std::string spaces(Dim count) {
    return std::string(static_cast<std::size_t>(std::max<Dim>(count, 0)), ' ');
  }

  /// A line that ends with spaces is wider than it looks.
  static std::string finished(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  }

  std::string names(std::size_t begin, std::size_t end) const {
    std::string out = spaces(margin_ + 1);
    for (std::size_t k = begin; k < end; ++k) {
      const std::string name = displayable(map_.keys[k], charset_);
      out += name + spaces(columns_[k] - display_width(name));
    }
    return finished(out);
  }

  std::string vertical_names(std::size_t begin, std::size_t end) const {
    std::vector<std::vector<std::string>> letters;
    std::size_t height = 0;
    for (std::size_t k = begin; k < end; ++k) {
      letters.push_back(glyphs(displayable(map_.keys[k], charset_)));
      if (letters.back().size() > tallest_label) {
        letters.back().resize(tallest_label);
        letters.back().back() = charset_ == Charset::unicode ? "\u22ee" : "~";
      }
      height = std::max(height, letters.back().size());
    }
    std::string out;
    for (std::size_t row = 0; row < height; ++row) {
      std::string line = spaces(margin_ + 1);
      for (std::size_t k = begin; k < end; ++k) {
        const auto& name = letters[k - begin];
        const std::size_t skip = height - name.size();  // names stand on their columns
        const std::string glyph = row < skip ? "" : name[row - skip];
        line += glyph + spaces(columns_[k] - display_width(glyph));
      }
      out += finished(line);
    }
    return out;
  }

  std::string line(std::size_t q, std::size_t begin, std::size_t end) const {
    const std::string name =
        cut_to_width(displayable(map_.queries[q], charset_), margin_, charset_);
    std::string out = spaces(margin_ - display_width(name)) + name + " ";
    for (std::size_t k = begin; k < end; ++k) {
      const float weight = map_.weight(static_cast<Dim>(q), static_cast<Dim>(k));
      out += shade_cell(is_faint() ? weight / largest_ : weight, columns_[k], style_.shades);
    }
    return style_.shades == Shades::colour ? out + "\x1b[0m\n" : finished(out);
  }

  const AttentionMap& map_;
  const TerminalStyle& style_;
  Charset charset_;
  float largest_;  // weight
  Dim margin_ = 0;
  std::vector<Dim> columns_;  // the width of each key's
  bool vertical_ = false;
};

}  // namespace

TerminalStyle style_of_terminal() {
  TerminalStyle style;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) style.width = size.ws_col;
  const bool colour =
      isatty(STDOUT_FILENO) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  if (!locale_has_unicode())
    style.shades = Shades::ascii;
  else
    style.shades = colour ? Shades::colour : Shades::blocks;
  return style;
}

std::string terminal_map(const AttentionMap& map, const TerminalStyle& style) {
  map.check();
  return TerminalMap(map, style).draw();
}

}  // namespace fovea
