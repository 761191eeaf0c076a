#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

/// A table as RFC 4180 writes it: fields between commas; one in quotes may hold commas, line ends
/// and, doubled, quotes. The first record names the columns. Errors name `place` and the line.
class CsvReader {
 public:
  CsvReader(std::string_view text, std::string place);

  /// False at the end. Every record has as many fields as there are columns.
  bool next(std::vector<std::string>& fields);
  /// The number of a column, by its name.
  std::size_t column(std::string_view name) const;
  /// Where the record that was read last begins: "train.csv:17".
  std::string where() const;

 private:
  bool record(std::vector<std::string>& fields);

  std::string_view text_;
  std::string place_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1, began_ = 1;
  std::vector<std::string> columns_;
};

}  // namespace fovea
