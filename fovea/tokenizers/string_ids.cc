#include "fovea/tokenizers/string_ids.h"

#include <cstring>
#include <limits>

#include "fovea/base/check.h"
#include "fovea/base/hash.h"

namespace fovea::hub {
namespace {

/// Eight bytes at a time.
std::uint32_t hash_of(std::string_view text) {
  std::uint64_t h = text.size() * 0x9E3779B97F4A7C15ULL;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, at, 8);
    h = mixed(h ^ eight);
  }
  if (left > 0) {
    std::uint64_t rest = 0;
    for (std::size_t i = 0; i < left; ++i) {
      rest |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << 8 * i;
    }
    h = mixed(h ^ rest);
  }
  return static_cast<std::uint32_t>(h);
}

}  // namespace

std::size_t StringIds::slot_of(std::string_view wanted, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].id != no_id && (slots_[at].hash != hash || text(slots_[at]) != wanted)) {
    at = (at + 1) & mask;
  }
  return at;
}

bool StringIds::add(std::string_view text, std::int32_t id) {
  FOVEA_CHECK(texts_.size() + text.size() < std::numeric_limits<std::uint32_t>::max(),
              ErrorKind::too_large, "the texts of a vocabulary take more than 4 GB");
  if (2 * (count_ + 1) > slots_.size()) grow();
  const std::uint32_t hash = hash_of(text);
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.id != no_id) return false;
  slot = {hash, id, static_cast<std::uint32_t>(texts_.size()),
          static_cast<std::uint32_t>(text.size())};
  texts_ += text;
  ++count_;
  return true;
}

std::int32_t StringIds::find(std::string_view text) const {
  return slots_[slot_of(text, hash_of(text))].id;
}

void StringIds::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.id != no_id) slots_[slot_of(text(slot), slot.hash)] = slot;
  }
}

void Vocabulary::add(std::string_view text, std::int64_t id, const std::string& where) {
  // Vocabularies have gaps, but a lonely huge id is a mistake that would cost memory.
  const auto limit = static_cast<std::int64_t>(size()) * 16 + 1'000'000;
  FOVEA_CHECK(id >= 0 && id < limit, ErrorKind::bad_file, where, ": '", text, "' has the id ", id,
              ", which is out of range");
  const std::size_t index = to_index(id);
  FOVEA_CHECK(!has(id), ErrorKind::bad_file, where, ": '", text, "' and '", texts_[index],
              "' have the same id ", id);
  FOVEA_CHECK(ids_.add(text, static_cast<std::int32_t>(id)), ErrorKind::bad_file, where, ": '",
              text, "' is there twice, with the ids ", find(text), " and ", id);
  if (texts_.size() <= index) {
    texts_.resize(index + 1);
    known_.resize(index + 1);
  }
  texts_[index] = text;
  known_[index] = true;
}

std::string_view Vocabulary::text(std::int64_t id) const {
  return has(id) ? std::string_view(texts_[to_index(id)]) : std::string_view();
}

}  // namespace fovea::hub
