#pragma once

#include <filesystem>

namespace fovea {

/// Both write train.tsv, dev.tsv and test.tsv from the archive of Reuters-21578, and take only
/// stories whose title has a word in common with the body: as Rush et al. 2015 chose theirs. Such a
/// word counts if it has a letter and is not one of the 100 words that are the most frequent in the
/// bodies of train.

/// Lines of "body<TAB>title", the title in small letters.
void extract_reuters_headlines(const std::filesystem::path& archive,
                               const std::filesystem::path& folder);

/// Lines of "document<TAB>question<TAB>answer", tokens between blanks. The question is the title
/// with one of the words that stand in the body, too, replaced by "@placeholder", after the way in
/// which Hermann et al. 2015 made questions of the highlights of CNN and Daily Mail. In train each
/// such word of a title gives a question; in dev and test one, told by the story's hash.
void extract_reuters_cloze(const std::filesystem::path& archive,
                           const std::filesystem::path& folder);

}  // namespace fovea
