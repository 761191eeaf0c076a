#include "fovea/metrics/entities.h"

#include <algorithm>

#include "fovea/base/check.h"

namespace fovea {
namespace {

/// "B-PER" as letter and type; "O" has none.
struct Tag {
  char letter = 'O';
  std::string_view type = {};

  explicit Tag(std::string_view text)
      : letter(text.empty() ? 'O' : text.front()),
        type(text.substr(std::min(text.size(), kType))) {}

  bool outside() const { return letter == 'O'; }
  bool begins_after(const Tag& before) const {
    return letter == 'B' || letter == 'S' || before.outside() || before.letter == 'E' ||
           before.letter == 'S' || type != before.type;
  }

 private:
  static constexpr std::size_t kType = 2;  // where a type begins
};

std::string_view letters_of(TagScheme scheme) { return scheme == TagScheme::bioes ? "BIES" : "BI"; }

/// The letter of word `at` of an entity. `adjoins`: another of its type stands just before it.
char letter_of(const Entity& entity, Dim at, TagScheme scheme, bool adjoins) {
  const bool first = at == entity.begin, last = at + 1 == entity.end;
  switch (scheme) {
    case TagScheme::iob1:
      return first && adjoins ? 'B' : 'I';
    case TagScheme::iob2:
      return first ? 'B' : 'I';
    case TagScheme::bioes:
      return first && last ? 'S' : first ? 'B' : last ? 'E' : 'I';
  }
  fail(ErrorKind::internal, "tags: no such scheme");
}

}  // namespace

bool is_tag(std::string_view tag, TagScheme scheme) {
  if (tag == "O") return true;
  return tag.size() > 2 && tag[1] == '-' &&
         letters_of(scheme).find(tag.front()) != std::string_view::npos;
}

bool may_follow(std::string_view before, std::string_view tag, TagScheme scheme) {
  const Tag was(before), is(tag);
  const bool same = !is.outside() && was.type == is.type;
  switch (scheme) {
    case TagScheme::iob1:
      return is.letter != 'B' || same;
    case TagScheme::iob2:
      return is.letter != 'I' || same;
    case TagScheme::bioes:
      break;
  }
  const bool open = was.letter == 'B' || was.letter == 'I';
  const bool goes_on = is.letter == 'I' || is.letter == 'E';
  return open == goes_on && (!open || same);
}

std::vector<Entity> entities_of(std::span<const std::string> tags) {
  std::vector<Entity> entities;
  Tag before("O");
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const Tag tag(tags[i]);
    const Dim at = static_cast<Dim>(i);
    if (!tag.outside()) {
      if (tag.begins_after(before)) entities.push_back({at, at, std::string(tag.type)});
      entities.back().end = at + 1;
    }
    before = tag;
  }
  return entities;
}

std::vector<std::string> tags_of(std::span<const Entity> entities, Dim words, TagScheme scheme) {
  std::vector<std::string> tags(static_cast<std::size_t>(words), "O");
  Dim end = 0;
  std::string_view type;
  for (const Entity& entity : entities) {
    FOVEA_CHECK(entity.begin >= end && entity.begin < entity.end && entity.end <= words,
                "tags: words ", entity.begin, " to ", entity.end, " of ", words,
                " are no entity after one that ends at ", end);
    const bool adjoins = entity.begin == end && entity.type == type;
    for (Dim at = entity.begin; at < entity.end; ++at) {
      tags[static_cast<std::size_t>(at)] =
          concat(letter_of(entity, at, scheme, adjoins), '-', entity.type);
    }
    end = entity.end;
    type = entity.type;
  }
  return tags;
}

void EntityScore::add(std::span<const std::string> given, std::span<const std::string> found) {
  FOVEA_CHECK(given.size() == found.size(), "entities: ", found.size(), " tags for ", given.size(),
              " words");
  const std::vector<Entity> wanted = entities_of(given), had = entities_of(found);
  for (const Entity& entity : wanted) ++types_[entity.type].given;
  for (const Entity& entity : had) {
    ClassScore& score = types_[entity.type];
    ++score.found;
    if (std::find(wanted.begin(), wanted.end(), entity) != wanted.end()) ++score.right;
  }
  last_right_ = wanted == had;
}

ClassScore EntityScore::all() const {
  ClassScore sum;
  for (const auto& [type, score] : types_) {
    sum.right += score.right;
    sum.given += score.given;
    sum.found += score.found;
  }
  return sum;
}

}  // namespace fovea
