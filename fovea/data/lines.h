/// Files of text: one example a line, plain, gzip or xz; or one column of a file whose columns are
/// separated by tabs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/view.h"
#include "fovea/data/unpack.h"

namespace fovea {

/// Line by line, as a stream. "\r\n" ends a line as "\n" does, and the byte order mark that some
/// programs put first is dropped. Text is UTF-8: a line that is not is an Error.
class LineReader {
 public:
  explicit LineReader(std::filesystem::path path);

  /// False at the end of the file.
  bool next(std::string& line);
  /// Of the line that was read last, from 1.
  std::int64_t number() const { return number_; }
  const std::filesystem::path& path() const { return path_; }
  /// "train.en:17", for messages.
  std::string place() const;

 private:
  bool fill();

  std::filesystem::path path_;
  Unpacked bytes_;
  std::vector<char> buffer_;
  std::string_view waiting_;
  std::int64_t number_ = 0;
};

struct TextFile {
  std::filesystem::path path;
  Dim column = 0;  // of a file with tabs, from 1; 0 takes whole lines

  bool operator==(const TextFile&) const = default;
};

/// "train.en.gz", or "pairs.tsv#2" for the second column.
TextFile parse_text_file(std::string_view text);

/// The field of this column of a line (0: the line), or an Error that names its place.
std::string_view column_of(std::string_view line, Dim column, const LineReader& reader);

class TextReader {
 public:
  explicit TextReader(const TextFile& file) : lines_(file.path), column_(file.column) {}

  bool next(std::string& text);
  std::int64_t number() const { return lines_.number(); }

 private:
  LineReader lines_;
  Dim column_;
  std::string line_;
};

}  // namespace fovea
