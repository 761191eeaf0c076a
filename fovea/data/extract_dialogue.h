#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

/// What was said, turn by turn, of a line whose turns end with "__eou__".
std::vector<std::string> turns_of(std::string_view dialogue);

/// Writes train.tsv, dev.tsv and test.tsv, lines of "context<TAB>reply", from train.zip and its
/// neighbours validation.zip and test.zip of DailyDialog (Li et al. 2017). Every turn but the first
/// is a reply, to at most the three turns before it, which stand with " <turn> " between them.
/// Dialogues that also stand in validation or test are left out of train.
void extract_dialogue(const std::filesystem::path& train, const std::filesystem::path& folder);

}  // namespace fovea
