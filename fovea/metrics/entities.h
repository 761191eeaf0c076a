/// Entities in sequences of tags: names, slots, phrases. Which words are one is told by tags such
/// as "B-PER", in one of several schemes; found entities are counted as conlleval, the script of
/// the CoNLL shared tasks, counts them (Tjong Kim Sang and De Meulder 2003).
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/metrics/classification.h"

namespace fovea {

enum class TagScheme {
  iob1,   // I inside; B only where an entity follows another of its type. Ramshaw and Marcus 1995
  iob2,   // B first, then I
  bioes,  // B first, I, E last; S alone
};
constexpr std::array<std::string_view, 3> names_of(TagScheme) { return {"iob1", "iob2", "bioes"}; }

/// Words [begin, end) of a text.
struct Entity {
  Dim begin = 0, end = 0;
  std::string type;

  bool operator==(const Entity&) const = default;
};

/// Whether the scheme has such a tag: "O", or a letter of the scheme, "-" and a type.
bool is_tag(std::string_view tag, TagScheme scheme);

/// Whether a text of the scheme can have `tag` after `before`. A text begins as after "O" and ends
/// as before it.
bool may_follow(std::string_view before, std::string_view tag, TagScheme scheme);

/// Of tags of any scheme, also where they contradict themselves, as conlleval reads them: an entity
/// begins with B or S, after O, E or S, and where the type changes; it ends before the next, before
/// O and with the text.
std::vector<Entity> entities_of(std::span<const std::string> tags);

/// The tags of a text of so many words. Entities stand in their order and do not overlap.
std::vector<std::string> tags_of(std::span<const Entity> entities, Dim words, TagScheme scheme);

/// Precision, recall and F1 of entities: one is right if its words and its type are.
class EntityScore {
 public:
  /// The tags of one text, in any schemes.
  void add(std::span<const std::string> given, std::span<const std::string> found);

  /// Whether all entities of the text that was added last are right.
  bool last_right() const { return last_right_; }
  ClassScore all() const;
  const std::map<std::string, ClassScore>& types() const { return types_; }

 private:
  std::map<std::string, ClassScore> types_;
  bool last_right_ = true;
};

}  // namespace fovea
