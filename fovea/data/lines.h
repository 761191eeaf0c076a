/// Files of text: one example a line, plain, gzip or xz; or one column of a file whose columns are
/// separated by tabs; or the first word of each line (a label, often) and what follows it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/view.h"
#include "fovea/data/catalogue.h"
#include "fovea/data/unpack.h"

namespace fovea {

/// Line by line, as a stream. "\r\n" ends a line as "\n" does, and the byte order mark that some
/// programs put first is dropped. Text comes out as UTF-8: a line that should be and is not is an
/// Error.
class LineReader {
 public:
  explicit LineReader(std::filesystem::path path, Encoding encoding = Encoding::utf8);

  /// False at the end of the file.
  bool next(std::string& line);
  /// Of the line that was read last, from 1.
  std::int64_t number() const { return number_; }
  const std::filesystem::path& path() const { return path_; }
  /// "train.en:17", for messages.
  std::string place() const;

 private:
  bool fill();
  /// What to do about a line that is not UTF-8.
  std::string not_text() const;

  std::filesystem::path path_;
  Encoding encoding_;
  Unpacked bytes_;
  std::vector<char> buffer_;
  std::string_view waiting_;
  std::int64_t number_ = 0;
};

struct TextFile {
  static constexpr Dim whole_line = 0, first_word = -1, after_first_word = -2;

  std::filesystem::path path;
  Dim column = whole_line;  // of a file with tabs, from 1; or one of the above
  Encoding encoding = Encoding::utf8;

  bool operator==(const TextFile&) const = default;
};

/// "train.en.gz"; "pairs.tsv#2" for the second column; "labelled.txt#first" and
/// "labelled.txt#rest" for the first word of each line and for what follows it.
TextFile parse_text_file(std::string_view text);
/// What parse_text_file reads as this.
std::string spec_of(const TextFile& file);

/// The field of this column of a line, or an Error that names its place.
std::string_view column_of(std::string_view line, Dim column, const LineReader& reader);

class TextReader {
 public:
  explicit TextReader(const TextFile& file)
      : lines_(file.path, file.encoding), column_(file.column) {}

  bool next(std::string& text);
  std::int64_t number() const { return lines_.number(); }

 private:
  LineReader lines_;
  Dim column_;
  std::string line_;
};

}  // namespace fovea
