/// Texts to ids: an open hash table whose texts stand in one string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/view.h"

namespace fovea::hub {

constexpr std::int32_t no_id = -1;

class StringIds {
 public:
  /// False if the text is there already; it then keeps its id.
  bool add(std::string_view text, std::int32_t id);
  /// no_id: there is no such text.
  std::int32_t find(std::string_view text) const;
  std::size_t size() const { return count_; }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t id = no_id;
    std::uint32_t begin = 0, size = 0;
  };
  std::string_view text(const Slot& slot) const { return {texts_.data() + slot.begin, slot.size}; }
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  void grow();

  std::string texts_;
  std::vector<Slot> slots_ = std::vector<Slot>(16);  // a power of two, at most half full
  std::size_t count_ = 0;
};

/// Both ways.
class Vocabulary {
 public:
  /// `where` names the vocabulary in errors. A text and an id stand in it once.
  void add(std::string_view text, std::int64_t id, const std::string& where);

  std::int32_t find(std::string_view text) const { return ids_.find(text); }
  bool has(std::int64_t id) const { return id >= 0 && id < end() && known_[to_index(id)]; }
  /// Empty if there is no such id.
  std::string_view text(std::int64_t id) const;
  const StringIds& ids() const { return ids_; }
  Dim end() const { return static_cast<Dim>(texts_.size()); }  // the largest id and one
  std::size_t size() const { return ids_.size(); }

 private:
  static std::size_t to_index(std::int64_t id) { return static_cast<std::size_t>(id); }

  StringIds ids_;
  std::vector<std::string> texts_;
  std::vector<bool> known_;
};

}  // namespace fovea::hub
