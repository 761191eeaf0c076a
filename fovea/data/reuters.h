/// News stories of Reuters-21578 (Lewis 1997): SGML files of 1,000 stories in a tar archive.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/data/split.h"

namespace fovea {

struct ReutersStory {
  Part part = Part::train;
  std::string title;  // in small letters: it came in capitals only
  std::string body;

  bool operator==(const ReutersStory&) const = default;
};

/// Stories of one file that have a title and a body and a part in the Lewis split (its parts TRAIN
/// and TEST). Entities are resolved, marks of the wire and the word "Reuter" at the end are
/// dropped, white space is one blank.
std::vector<ReutersStory> reuters_stories(std::string_view sgml);

/// All stories, in order. A body that was sent twice stands once, in the part where it stood first.
/// 8% of TRAIN, told by the hash of the title, are dev.
std::vector<ReutersStory> read_reuters(const std::filesystem::path& archive);

/// Words in small letters and marks, each a token: "u.s." and "long-term" are one word, "bank's"
/// is two.
std::vector<std::string> news_words(std::string_view text);

}  // namespace fovea
