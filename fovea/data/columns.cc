#include "fovea/data/columns.h"

#include "fovea/base/check.h"

namespace fovea {
namespace {

constexpr std::string_view document = "-DOCSTART-";

const TextFile& one_file(const std::vector<TextFile>& columns) {
  FOVEA_CHECK(!columns.empty(), "no columns to read");
  const TextFile& first = columns.front();
  for (const TextFile& column : columns) {
    FOVEA_CHECK(column.path == first.path, ErrorKind::bad_setting,
                "columns of words stand in one file, found ", first.path.string(), " and ",
                column.path.string());
    FOVEA_CHECK(column.column > 0, ErrorKind::bad_setting, column.path.string(),
                ": which column? Name it by its number, from 1: ", column.path.string(), "#1");
  }
  return first;
}

void split_at_blanks(std::string_view line, std::vector<std::string>& fields) {
  constexpr std::string_view blanks = " \t";
  fields.clear();
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    fields.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
}

}  // namespace

ColumnReader::ColumnReader(const std::vector<TextFile>& columns)
    : lines_(one_file(columns).path, columns.front().encoding) {
  for (const TextFile& column : columns) columns_.push_back(column.column);
}

std::string ColumnReader::place(std::int64_t line) const {
  return concat(lines_.path().string(), ":", line);
}

bool ColumnReader::next(ColumnSentence& sentence) {
  sentence.columns.assign(columns_.size(), {});
  while (lines_.next(line_)) {
    split_at_blanks(line_, fields_);
    const bool parts = fields_.empty() || fields_.front() == document;
    if (!parts) {
      take(sentence);
    } else if (!sentence.columns.front().empty()) {
      return true;
    }
  }
  return !sentence.columns.front().empty();
}

void ColumnReader::take(ColumnSentence& sentence) {
  if (sentence.columns.front().empty()) sentence.line = lines_.number();
  for (const Dim column : columns_) {
    FOVEA_CHECK(static_cast<std::size_t>(column) <= fields_.size(), ErrorKind::bad_file,
                lines_.place(), ": has ", fields_.size(),
                " columns separated by blanks, but column ", column, " is wanted, in '", line_,
                "'");
  }
  if (width_ == 0) width_ = fields_.size();
  FOVEA_CHECK(fields_.size() == width_, ErrorKind::bad_file, lines_.place(), ": expected ", width_,
              " columns as in the lines before, found ", fields_.size(), " in '", line_, "'");
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    sentence.columns[i].push_back(fields_[static_cast<std::size_t>(columns_[i] - 1)]);
  }
}

}  // namespace fovea
