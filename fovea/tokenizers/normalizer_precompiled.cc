/// SentencePiece's table of replacements: a double array in the form of Darts-clone, and the new
/// texts, each ended by a zero byte. It comes from a file and may hold anything.
#include <unicode/uchar.h>

#include <array>
#include <cstring>
#include <optional>

#include "fovea/tokenizers/normalizer.h"
#include "fovea/unicode/utf8.h"

namespace fovea::hub {
namespace {

std::string from_base64(const JsonPart& json) {
  const std::string text = json.text();
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int six = c >= 'A' && c <= 'Z'   ? c - 'A'
                    : c >= 'a' && c <= 'z' ? c - 'a' + 26
                    : c >= '0' && c <= '9' ? c - '0' + 52
                    : c == '+'             ? 62
                    : c == '/'             ? 63
                                           : -1;
    if (six < 0) json.wrong("is no base64");
    bits = bits << 6 | static_cast<std::uint32_t>(six);
    held += 6;
    if (held >= 8) bytes += static_cast<char>(bits >> (held -= 8) & 0xFF);
  }
  return bytes;
}

class Replacements {
 public:
  explicit Replacements(const JsonPart& json) {
    const std::string bytes = from_base64(json);
    if (bytes.empty()) return;
    std::uint32_t size = 0;
    if (bytes.size() >= 4) std::memcpy(&size, bytes.data(), 4);
    if (bytes.size() < 4 || size % 4 != 0 || size > bytes.size() - 4) {
      json.wrong("is cut off: its array should take ", size, " of ", bytes.size(), " bytes");
    }
    units_.resize(size / 4);
    std::memcpy(units_.data(), bytes.data() + 4, size);
    texts_ = bytes.substr(4 + size);
  }

  bool empty() const { return units_.empty(); }

  /// What stands for the shortest key that the text begins with.
  std::optional<std::string_view> find(std::string_view text) const {
    std::size_t node = 0;
    if (!follow(node)) return std::nullopt;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte == 0) break;
      node ^= byte;
      if (node >= units_.size()) break;
      const std::uint32_t unit = units_[node];
      if ((unit & (1U << 31 | 0xFF)) != byte) break;
      const bool ends = (unit >> 8 & 1) != 0;
      if (!follow(node)) break;
      if (ends) return text_at(units_[node] & 0x7FFFFFFF);
    }
    return std::nullopt;
  }

 private:
  bool follow(std::size_t& node) const {
    if (node >= units_.size()) return false;
    const std::uint32_t unit = units_[node];
    node ^= static_cast<std::size_t>(unit >> 10) << ((unit & 1U << 9) >> 6);
    return node < units_.size();
  }

  std::optional<std::string_view> text_at(std::size_t begin) const {
    if (begin >= texts_.size()) return std::nullopt;
    return std::string_view(texts_).substr(begin, texts_.find('\0', begin) - begin);
  }

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

/// Whether Unicode Standard Annex #29 keeps the two in one cluster, a pair of them seen alone.
bool cluster_goes_on(char32_t a, char32_t b) {
  if (a < 0x80 && b < 0x80) return a == '\r' && b == '\n';
  const auto kind_of = [](char32_t c) {
    return u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_GRAPHEME_CLUSTER_BREAK);
  };
  const int left = kind_of(a), right = kind_of(b);
  const auto ends = [](int kind) {
    return kind == U_GCB_CONTROL || kind == U_GCB_CR || kind == U_GCB_LF;
  };
  if (ends(left) || ends(right)) return false;
  if (right == U_GCB_EXTEND || right == U_GCB_ZWJ || right == U_GCB_SPACING_MARK) return true;
  if (left == U_GCB_PREPEND) return true;
  if (left == U_GCB_L) {
    return right == U_GCB_L || right == U_GCB_V || right == U_GCB_LV || right == U_GCB_LVT;
  }
  if (left == U_GCB_LV || left == U_GCB_V) return right == U_GCB_V || right == U_GCB_T;
  return (left == U_GCB_LVT || left == U_GCB_T) && right == U_GCB_T;
}

bool is_pictograph(char32_t c) {
  return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
}

/// The end of the cluster that begins here. Pairs of regional indicators are not joined: they are
/// longer than what is looked up whole.
std::size_t cluster_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  char32_t last = next_code_point(text, end);
  if (last < 0x80 && last != '\r' && end < text.size() && (text[end] & 0x80) == 0) return end;
  bool pictograph = is_pictograph(last);  // it, and only what extends it since
  while (end < text.size()) {
    std::size_t after = end;
    const char32_t next = next_code_point(text, after);
    constexpr char32_t joiner = 0x200D;
    const bool picture_goes_on = pictograph && last == joiner && is_pictograph(next);
    if (!picture_goes_on && !cluster_goes_on(last, next)) break;
    pictograph =
        is_pictograph(next) ||
        (pictograph && u_getIntPropertyValue(static_cast<UChar32>(next),
                                             UCHAR_GRAPHEME_CLUSTER_BREAK) != U_GCB_SPACING_MARK);
    last = next;
    end = after;
  }
  return end;
}

/// The new text stands for the characters of the old one in turn; what it has more is put in, what
/// it has less goes with the last character written so far.
void put_replacement(std::vector<Change>& changes, std::string_view old, std::string_view text) {
  const auto before = static_cast<int>(code_points_in(old));
  int written = 0;
  for_each_character(text, [&](char32_t c, std::size_t, std::size_t) {
    changes.push_back({c, written++ < before ? 0 : 1});
  });
  if (written < before && !changes.empty()) changes.back().change -= before - written;
}

class Precompiled : public Normalizer {
 public:
  explicit Precompiled(const JsonPart& json) : replacements_(json.at("precompiled_charsmap")) {}

  void operator()(AlignedText& aligned) const override {
    if (replacements_.empty()) return;
    const std::string_view text = aligned.text();
    std::vector<Change> changes;
    changes.reserve(text.size());
    bool changed = false;
    const auto replace = [&](std::string_view part) {
      const auto found = replacements_.find(part);
      if (!found) return false;
      put_replacement(changes, part, *found);
      return changed = true;
    };
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = cluster_end(text, begin);
      const std::string_view cluster = text.substr(begin, end - begin);
      begin = end;
      constexpr std::size_t longest_whole = 5;
      if (cluster.size() <= longest_whole && replace(cluster)) continue;
      for_each_character(cluster, [&](char32_t c, std::size_t from, std::size_t to) {
        if (!replace(cluster.substr(from, to - from))) changes.push_back({c, 0});
      });
    }
    if (changed) apply_changes(changes, aligned);
  }

 private:
  Replacements replacements_;
};

}  // namespace

std::unique_ptr<Normalizer> read_precompiled(const JsonPart& json) {
  return std::make_unique<Precompiled>(json);
}

}  // namespace fovea::hub
