#pragma once

#include <filesystem>

namespace fovea {

/// Writes cmudict.train.tsv and cmudict.test.tsv, lines of "word<TAB>S OU N D S", from the
/// dictionary of Debian's package pocketsphinx-en-us. A word with several pronunciations has a line
/// for each, all in one of the files; words with other characters than a-z and ' are left out.
void extract_cmudict(const std::filesystem::path& root, const std::filesystem::path& folder);

}  // namespace fovea
