#pragma once

#include <filesystem>

namespace fovea {

/// Writes train.tsv, dev.tsv and test.tsv, lines of "label<TAB>review", from chnsenticorp.zip: the
/// same files without the names of their columns in the first line.
void extract_chnsenticorp(const std::filesystem::path& zip, const std::filesystem::path& folder);

}  // namespace fovea
