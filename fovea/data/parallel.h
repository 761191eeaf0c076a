/// Lines that belong together: the same line of several files, or several columns of one.
#pragma once

#include <string>
#include <vector>

#include "fovea/data/lines.h"

namespace fovea {

class ParallelReader {
 public:
  /// A file that is named more than once, for several of its columns, is read once.
  explicit ParallelReader(const std::vector<TextFile>& files);

  /// One field for each file. Throws an Error if one file ends before another.
  bool next(std::vector<std::string>& fields);
  std::int64_t number() const { return number_; }

 private:
  struct Field {
    std::size_t reader;
    Dim column;
  };
  [[noreturn]] void fail_unequal();

  std::vector<LineReader> readers_;
  std::vector<std::string> lines_;  // one a reader
  std::vector<Field> fields_;
  std::int64_t number_ = 0;
};

}  // namespace fovea
