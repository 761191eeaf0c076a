/// Byte-pair encoding (Sennrich et al. 2016, "Neural machine translation of rare words with subword
/// units"): a word begins as characters (or bytes); of all neighbours that the table of merges
/// knows, the first in the table become one, leftmost first, until there are none.
#include <algorithm>
#include <limits>
#include <queue>

#include "fovea/base/check.h"
#include "fovea/base/hash.h"
#include "fovea/tokenizers/byte_characters.h"
#include "fovea/tokenizers/model.h"

namespace fovea::hub {
namespace {

constexpr std::uint32_t no_rank = std::numeric_limits<std::uint32_t>::max();

struct Merge {
  std::uint32_t rank = no_rank;
  std::int32_t id = no_id;  // of what the two become
};

/// Pairs of ids to merges: an open hash table.
class Merges {
 public:
  explicit Merges(std::size_t count) {
    std::size_t size = 16;
    while (size < 2 * count + 2) size *= 2;
    slots_.resize(size);
  }

  void set(std::int32_t left, std::int32_t right, Merge merge) {
    Slot& slot = slots_[slot_of(key_of(left, right))];
    slot = {key_of(left, right), merge};
  }

  Merge find(std::int32_t left, std::int32_t right) const {
    return slots_[slot_of(key_of(left, right))].merge;
  }

 private:
  static constexpr std::uint64_t empty = std::numeric_limits<std::uint64_t>::max();
  struct Slot {
    std::uint64_t key = empty;
    Merge merge = {};
  };

  static std::uint64_t key_of(std::int32_t left, std::int32_t right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
  }

  std::size_t slot_of(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (key * 0x9E3779B97F4A7C15ULL >> 20) & mask;
    while (slots_[at].key != key && slots_[at].key != empty) at = (at + 1) & mask;
    return at;
  }

  std::vector<Slot> slots_;
};

/// A part of a word: a token and how many bytes of the word it takes.
struct Part {
  std::int32_t id;
  std::uint32_t size;
};

/// Short words: the best pair is looked for anew each time.
void merge_short(const Merges& merges, std::vector<Part>& parts) {
  thread_local std::vector<Merge> pairs;  // of each part with the next one
  const auto pair_at = [&](std::size_t i) { return merges.find(parts[i].id, parts[i + 1].id); };
  pairs.clear();
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) pairs.push_back(pair_at(i));
  while (!pairs.empty()) {
    const auto best = std::min_element(
        pairs.begin(), pairs.end(), [](const Merge& a, const Merge& b) { return a.rank < b.rank; });
    if (best->rank == no_rank) return;
    const auto i = static_cast<std::size_t>(best - pairs.begin());
    parts[i] = {best->id, parts[i].size + parts[i + 1].size};
    parts.erase(parts.begin() + (best - pairs.begin()) + 1);
    pairs.erase(best);
    if (i < pairs.size()) pairs[i] = pair_at(i);
    if (i > 0) pairs[i - 1] = pair_at(i - 1);
  }
}

/// Long ones, and whole texts where nothing parts words: a heap of pairs, a list of parts.
class LongWord {
 public:
  LongWord(const Merges& merges, std::vector<Part>& parts) : merges_(merges), parts_(parts) {
    const int count = static_cast<int>(parts.size());
    for (int i = 0; i < count; ++i) links_.push_back({i - 1, i + 1 < count ? i + 1 : -1});
    for (int i = 0; i + 1 < count; ++i) consider(i);
  }

  void run() {
    while (!pairs_.empty()) {
      const Pair best = pairs_.top();
      pairs_.pop();
      if (stands(best)) merge(best);
    }
    std::erase_if(parts_, [](const Part& part) { return part.size == 0; });
  }

 private:
  struct Link {
    int before, after;  // -1: none
  };
  struct Pair {
    Merge merge;
    int left;
    bool operator<(const Pair& other) const {
      return merge.rank != other.merge.rank ? merge.rank > other.merge.rank : left > other.left;
    }
  };

  Part& part(int i) { return parts_[static_cast<std::size_t>(i)]; }
  Link& link(int i) { return links_[static_cast<std::size_t>(i)]; }

  void consider(int left) {
    if (left < 0 || link(left).after < 0) return;
    const Merge merge = merges_.find(part(left).id, part(link(left).after).id);
    if (merge.rank != no_rank) pairs_.push({merge, left});
  }

  /// Whether it is still what it was when it was found.
  bool stands(const Pair& pair) {
    const int right = link(pair.left).after;
    return part(pair.left).size > 0 && right >= 0 &&
           merges_.find(part(pair.left).id, part(right).id).id == pair.merge.id;
  }

  void merge(const Pair& pair) {
    const int right = link(pair.left).after;
    part(pair.left) = {pair.merge.id, part(pair.left).size + part(right).size};
    part(right).size = 0;
    link(pair.left).after = link(right).after;
    if (link(right).after >= 0) link(link(right).after).before = pair.left;
    consider(link(pair.left).before);
    consider(pair.left);
  }

  const Merges& merges_;
  std::vector<Part>& parts_;
  std::vector<Link> links_;
  std::priority_queue<Pair> pairs_;
};

/// "a b" or ["a", "b"].
std::pair<std::string, std::string> read_merge(const JsonPart& json) {
  if (json.json().is_array()) {
    const auto two = json.elements();
    if (two.size() != 2) json.wrong("expected two tokens");
    return {two[0].text(), two[1].text()};
  }
  const std::string both = json.text();
  const std::size_t space = both.find(' ');
  if (space == std::string::npos || both.find(' ', space + 1) != std::string::npos) {
    json.wrong("expected two tokens with a space between them");
  }
  return {both.substr(0, space), both.substr(space + 1)};
}

class Bpe : public TokenModel {
 public:
  Bpe(const JsonPart& json, bool byte_level)
      : TokenModel(read_vocabulary(json.at("vocab"))),
        merges_(json.at("merges").json().size()),
        whole_(vocabulary_.end()),
        byte_level_(byte_level) {
    if (json.has("dropout") && json.at("dropout").number() != 0) {
      json.at("dropout").wrong("a tokenizer that leaves merges out at random is not supported");
    }
    if (json.has("continuing_subword_prefix")) prefix_ = json.text("continuing_subword_prefix");
    if (json.has("end_of_word_suffix")) suffix_ = json.text("end_of_word_suffix");
    if (byte_level && !(prefix_.empty() && suffix_.empty())) {
      json.wrong("prefixes and suffixes of pieces are not supported with ByteLevel");
    }
    fuse_unknown_ = json.flag("fuse_unk", false);
    ignore_merges_ = json.flag("ignore_merges", false);
    if (json.flag("byte_fallback", false)) bytes_ = byte_tokens(vocabulary_);
    const std::string unknown = json.has("unk_token") ? json.text("unk_token") : std::string();
    unknown_ = vocabulary_.find(unknown);
    if (unknown_ == no_id && !unknown.empty()) {
      json.at("unk_token").wrong("'", unknown, "' is not in the vocabulary");
    }
    read_merges(json.at("merges"));
    if (byte_level) read_bytes();
  }

  void tokenize(std::string_view word, std::uint32_t at,
                std::vector<Token>& tokens) const override {
    const std::int32_t id = (byte_level_ ? raw_ : vocabulary_.ids()).find(word);
    if (id != no_id) {
      const auto is_itself = [&] {
        const std::vector<Part>& parts = merged(word);
        return parts.size() == 1 && parts[0].id == id;
      };
      if (ignore_merges_ || whole_(id, is_itself)) {
        tokens.push_back({id, {at, at + static_cast<std::uint32_t>(word.size())}});
        return;
      }
    }
    // The bytes of a prefix count too when they stand for an unknown character: not past the end.
    const std::uint32_t last = at + static_cast<std::uint32_t>(word.size()) - 1;
    for (const Part& part : merged(word)) {
      tokens.push_back({part.id, {std::min(at, last), std::min(at + part.size, last + 1)}});
      at += part.size;
    }
  }

  std::int32_t unknown() const override { return unknown_; }

 private:
  void read_merges(const JsonPart& json) {
    std::uint32_t rank = 0;
    for (const JsonPart& merge : json.elements()) {
      const auto [left, right] = read_merge(merge);
      const bool prefixed = right.size() >= prefix_.size();
      const std::string both = left + (prefixed ? right.substr(prefix_.size()) : std::string());
      for (const std::string& text : {left, right, both}) {
        if (vocabulary_.find(text) == no_id) merge.wrong("'", text, "' is not in the vocabulary");
      }
      merges_.set(vocabulary_.find(left), vocabulary_.find(right),
                  {rank++, vocabulary_.find(both)});
    }
  }

  /// The vocabulary as the bytes that its characters stand for.
  void read_bytes() {
    one_byte_.assign(256, no_id);
    for (Dim id = 0; id < vocabulary_.end(); ++id) {
      if (!vocabulary_.has(id)) continue;
      const auto raw = bytes_of_characters(vocabulary_.text(id));
      if (!raw) continue;
      raw_.add(*raw, static_cast<std::int32_t>(id));
      if (raw->size() == 1) {
        one_byte_[static_cast<unsigned char>(raw->front())] = static_cast<std::int32_t>(id);
      }
    }
  }

  /// The tokens of a word. The result stands until the next call of the thread.
  const std::vector<Part>& merged(std::string_view word) const {
    thread_local std::vector<Part> parts;
    parts.clear();
    Part unknown = {unknown_, 0};  // waits for more of its kind
    for (std::size_t begin = 0; begin < word.size();) {
      const std::size_t size = byte_level_ ? 1 : character_size(word[begin]);
      put_unit(word, begin, size, parts, unknown);
      begin += size;
    }
    if (unknown.size > 0) parts.push_back(unknown);
    constexpr std::size_t longest_short = 64;
    if (parts.size() <= longest_short) {
      merge_short(merges_, parts);
    } else {
      LongWord(merges_, parts).run();
    }
    return parts;
  }

  void put_unit(std::string_view word, std::size_t begin, std::size_t size,
                std::vector<Part>& parts, Part& unknown) const {
    const auto bytes = static_cast<std::uint32_t>(size);
    const std::int32_t id = unit(word, begin, size);
    if (id != no_id) {
      if (unknown.size > 0) parts.push_back(std::exchange(unknown, {unknown_, 0}));
      parts.push_back({id, bytes});
      return;
    }
    if (!bytes_.empty() && put_bytes(unit_text(word, begin, size), parts)) return;
    if (unknown_ == no_id) return;  // nothing stands for it
    if (unknown.size > 0 && !fuse_unknown_) parts.push_back(std::exchange(unknown, {unknown_, 0}));
    unknown.size += bytes;
  }

  std::int32_t unit(std::string_view word, std::size_t begin, std::size_t size) const {
    if (byte_level_) return one_byte_[static_cast<unsigned char>(word[begin])];
    if (prefix_.empty() && suffix_.empty()) return vocabulary_.find(word.substr(begin, size));
    return vocabulary_.find(unit_text(word, begin, size));
  }

  /// A character as the vocabulary writes it: marked where it goes on or ends a word.
  std::string unit_text(std::string_view word, std::size_t begin, std::size_t size) const {
    std::string text = begin > 0 ? prefix_ : std::string();
    text += word.substr(begin, size);
    if (begin + size == word.size()) text += suffix_;
    return text;
  }

  bool put_bytes(std::string_view text, std::vector<Part>& parts) const {
    const auto token = [&](char byte) { return bytes_[static_cast<unsigned char>(byte)]; };
    if (std::any_of(text.begin(), text.end(), [&](char b) { return token(b) == no_id; }))
      return false;
    for (const char byte : text) parts.push_back({token(byte), 1});
    return true;
  }

  Merges merges_;
  WholeWords whole_;
  bool byte_level_, fuse_unknown_ = false, ignore_merges_ = false;
  std::string prefix_, suffix_;  // of what continues a word, of what ends one
  std::int32_t unknown_ = no_id;
  std::vector<std::int32_t> bytes_ = {};     // byte_fallback: the tokens of bytes
  std::vector<std::int32_t> one_byte_ = {};  // byte_level: the tokens that a word begins as
  StringIds raw_;                            // byte_level: bytes to tokens
};

}  // namespace

std::unique_ptr<TokenModel> read_bpe(const JsonPart& json, bool byte_level) {
  return std::make_unique<Bpe>(json, byte_level);
}

}  // namespace fovea::hub
