#include "fovea/data/lines.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/unicode/utf8.h"

namespace fovea {

LineReader::LineReader(std::filesystem::path path)
    : path_(std::move(path)), bytes_(path_), buffer_(1 << 16) {
  fill();
  if (waiting_.starts_with("\xef\xbb\xbf")) waiting_.remove_prefix(3);
}

bool LineReader::fill() {
  waiting_ = {buffer_.data(), bytes_.read(buffer_)};
  return !waiting_.empty();
}

std::string LineReader::place() const { return concat(path_.string(), ":", number_); }

bool LineReader::next(std::string& line) {
  line.clear();
  if (waiting_.empty() && !fill()) return false;
  ++number_;
  for (bool ended = false; !ended;) {
    const std::size_t end = waiting_.find('\n');
    ended = end != std::string_view::npos;
    line.append(waiting_.substr(0, end));
    waiting_.remove_prefix(ended ? end + 1 : waiting_.size());
    ended = ended || !(waiting_.size() > 0 || fill());
  }
  if (line.ends_with('\r')) line.pop_back();
  FOVEA_CHECK(valid_utf8(line), place(),
              ": is not UTF-8; convert the file, for example: iconv -f LATIN1 -t UTF-8");
  return true;
}

TextFile parse_text_file(std::string_view text) {
  const std::size_t mark = text.rfind('#');
  TextFile file{.path = text.substr(0, mark), .column = 0};
  if (mark != std::string_view::npos) {
    const std::string_view digits = text.substr(mark + 1);
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, file.column);
    if (digits.empty() || stop != end || error != std::errc()) return {text, 0};  // a '#' of a name
    FOVEA_CHECK(file.column > 0, text, ": columns are counted from 1");
  }
  FOVEA_CHECK(!file.path.empty(), "'", text, "' names no file");
  return file;
}

std::string_view column_of(std::string_view line, Dim column, const LineReader& reader) {
  if (column == 0) return line;
  std::string_view rest = line;
  for (Dim skipped = 1; skipped < column; ++skipped) {
    const std::size_t tab = rest.find('\t');
    FOVEA_CHECK(tab != std::string_view::npos, reader.place(), ": has ", skipped, " column",
                skipped == 1 ? "" : "s", " separated by tabs, but column ", column, " is wanted");
    rest.remove_prefix(tab + 1);
  }
  return rest.substr(0, rest.find('\t'));
}

bool TextReader::next(std::string& text) {
  if (!lines_.next(line_)) return false;
  text = column_of(line_, column_, lines_);
  return true;
}

}  // namespace fovea
