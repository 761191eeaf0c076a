#include "fovea/data/csv.h"

#include <algorithm>

#include "fovea/base/check.h"

namespace fovea {

CsvReader::CsvReader(std::string_view text, std::string place)
    : text_(text), place_(std::move(place)) {
  FOVEA_CHECK(record(columns_), ErrorKind::bad_file, place_,
              ": expected a record that names the columns, found none");
}

bool CsvReader::record(std::vector<std::string>& fields) {
  fields.clear();
  if (at_ == text_.size()) return false;
  began_ = line_;
  std::string field;
  bool quoted = false;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    line_ += c == '\n';
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        field += text_[++at_];
      } else {
        quoted = false;
      }
    } else if (c == '"' && field.empty()) {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      if (c == '\n' && !field.empty() && field.back() == '\r') field.pop_back();
      fields.push_back(std::move(field));
      field.clear();
      if (c == '\n') {
        ++at_;
        return true;
      }
    } else {
      field += c;
    }
  }
  FOVEA_CHECK(!quoted, ErrorKind::bad_file, where(), ": a quote is opened and not closed");
  fields.push_back(std::move(field));
  return true;
}

bool CsvReader::next(std::vector<std::string>& fields) {
  if (!record(fields)) return false;
  FOVEA_CHECK(fields.size() == columns_.size(), ErrorKind::bad_file, where(), ": expected ",
              columns_.size(), " fields, as the first line has, found ", fields.size());
  return true;
}

std::size_t CsvReader::column(std::string_view name) const {
  const auto at = std::find(columns_.begin(), columns_.end(), name);
  FOVEA_CHECK(at != columns_.end(), ErrorKind::bad_file, place_, ": has no column called ", name);
  return static_cast<std::size_t>(at - columns_.begin());
}

std::string CsvReader::where() const { return concat(place_, ":", began_); }

}  // namespace fovea
