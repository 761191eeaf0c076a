#pragma once

#include <filesystem>

namespace fovea {

/// Writes train.tsv, dev.tsv and test.tsv, lines of "question<TAB>review<TAB>answers", from the
/// archive of SubjQA's tables (Bjerva et al. 2020), all domains one after the other. A question and
/// a review are one line, with all answers that people marked: "12-25 40-44", characters of the
/// review from, to (not included). Nobody marked one: "none", the review does not say. Further
/// answers of those who found none are not counted, as in SQuAD 2.0.
void extract_subjqa(const std::filesystem::path& archive, const std::filesystem::path& folder);

}  // namespace fovea
