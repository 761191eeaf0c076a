#include "fovea/data/lines.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

constexpr std::string_view first_name = "first", rest_name = "rest";

std::string from_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += {static_cast<char>(0xc0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3f))};
    }
  }
  return out;
}

}  // namespace

LineReader::LineReader(std::filesystem::path path, Encoding encoding)
    : path_(std::move(path)), encoding_(encoding), bytes_(path_), buffer_(1 << 16) {
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
  if (encoding_ == Encoding::latin1) line = from_latin1(line);
  FOVEA_CHECK(valid_utf8(line), ErrorKind::bad_file, place(), ": ", not_text());
  return true;
}

std::string LineReader::not_text() const {
  const std::string ending = path_.extension().string();
  const bool named_packed = ending == ".gz" || ending == ".xz";
  if (named_packed && !bytes_.packed()) {
    return concat("is neither ", ending == ".gz" ? "gzip" : "xz",
                  " data, as the file's name says, nor UTF-8; fetch it again");
  }
  return "is not UTF-8; convert the file, for example: iconv -f LATIN1 -t UTF-8";
}

TextFile parse_text_file(std::string_view text) {
  const std::size_t mark = text.rfind('#');
  TextFile file{.path = text.substr(0, mark), .column = 0};
  if (mark != std::string_view::npos) {
    const std::string_view digits = text.substr(mark + 1);
    if (digits == first_name) return {text.substr(0, mark), TextFile::first_word};
    if (digits == rest_name) return {text.substr(0, mark), TextFile::after_first_word};
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, file.column);
    if (digits.empty() || stop != end || error != std::errc()) return {text, 0};  // a '#' of a name
    FOVEA_CHECK(file.column > 0, ErrorKind::bad_setting, text, ": columns are counted from 1");
  }
  FOVEA_CHECK(!file.path.empty(), ErrorKind::bad_setting, "'", text, "' names no file");
  return file;
}

std::string spec_of(const TextFile& file) {
  const std::string path = file.path.string();
  if (file.column == TextFile::whole_line) return path;
  if (file.column == TextFile::first_word) return concat(path, "#", first_name);
  if (file.column == TextFile::after_first_word) return concat(path, "#", rest_name);
  return concat(path, "#", file.column);
}

std::string_view column_of(std::string_view line, Dim column, const LineReader& reader) {
  if (column == TextFile::whole_line) return line;
  if (column < 0) {
    const std::size_t space = line.find_first_of(" \t");
    FOVEA_CHECK(space != std::string_view::npos, ErrorKind::bad_file, reader.place(),
                ": expected a word, a space and more, found '", line, "'");
    return column == TextFile::first_word ? line.substr(0, space) : line.substr(space + 1);
  }
  std::string_view rest = line;
  for (Dim skipped = 1; skipped < column; ++skipped) {
    const std::size_t tab = rest.find('\t');
    FOVEA_CHECK(tab != std::string_view::npos, ErrorKind::bad_file, reader.place(), ": has ",
                skipped, " column", skipped == 1 ? "" : "s", " separated by tabs, but column ",
                column, " is wanted");
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
