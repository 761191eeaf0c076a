#include "fovea/data/parallel.h"

#include <algorithm>

#include "fovea/base/check.h"

namespace fovea {

ParallelReader::ParallelReader(const std::vector<TextFile>& files) {
  FOVEA_CHECK(!files.empty(), "no files to read");
  for (const TextFile& file : files) {
    const auto same = std::find_if(readers_.begin(), readers_.end(), [&](const LineReader& reader) {
      return reader.path() == file.path;
    });
    fields_.push_back({static_cast<std::size_t>(same - readers_.begin()), file.column});
    if (same == readers_.end()) readers_.emplace_back(file.path, file.encoding);
  }
  lines_.resize(readers_.size());
}

bool ParallelReader::next(std::vector<std::string>& fields) {
  std::size_t ended = 0;
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    if (!readers_[i].next(lines_[i])) ++ended;
  }
  if (ended == readers_.size()) return false;
  if (ended > 0) fail_unequal();
  ++number_;
  fields.resize(fields_.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto [reader, column] = fields_[i];
    fields[i] = column_of(lines_[reader], column, readers_[reader]);
  }
  return true;
}

void ParallelReader::fail_unequal() {
  std::string counts;
  for (LineReader& reader : readers_) {
    for (std::string line; reader.next(line);) continue;
    counts += concat(counts.empty() ? "" : ", ", reader.path().string(), " has ", reader.number());
  }
  fail(ErrorKind::bad_file, "files that belong together have different numbers of lines: ", counts,
       "; line n of each must say the same");
}

}  // namespace fovea
