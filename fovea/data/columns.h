/// Files that have a word a line and columns that say something of it, as those of the CoNLL shared
/// tasks: sentences are parted by empty lines, columns by blanks or tabs.
///
///   -DOCSTART- -X- O O
///
///   EU NNP I-NP I-ORG
///   rejects VBZ I-VP O
#pragma once

#include <string>
#include <vector>

#include "fovea/data/lines.h"

namespace fovea {

struct ColumnSentence {
  std::vector<std::vector<std::string>> columns;  // those that were asked for, a field a word
  std::int64_t line = 0;                          // of its first word; the others follow
};

class ColumnReader {
 public:
  /// Columns of one file, from 1. A line that has no such column, or another number of columns than
  /// the first one, is an Error that names its place.
  explicit ColumnReader(const std::vector<TextFile>& columns);

  /// False at the end of the file. Lines that tell where a document begins are left out.
  bool next(ColumnSentence& sentence);
  /// "eng.train:17", for messages.
  std::string place(std::int64_t line) const;

 private:
  void take(ColumnSentence& sentence);

  LineReader lines_;
  std::vector<Dim> columns_;
  std::size_t width_ = 0;  // columns of a line; 0: not known yet
  std::string line_;
  std::vector<std::string> fields_;  // of the line
};

}  // namespace fovea
