/// A table for a terminal: columns as wide as their widest cell.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "fovea/unicode/utf8.h"

namespace fovea::app {

class Table {
 public:
  explicit Table(std::vector<std::string> head) { add(std::move(head)); }

  void add(std::vector<std::string> cells) {
    widths_.resize(std::max(widths_.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      widths_[i] = std::max(widths_[i], display_width(cells[i]));
    }
    rows_.push_back(std::move(cells));
  }

  void print() const {
    for (const std::vector<std::string>& row : rows_) {
      std::string line;
      Dim at = 0;  // where the column begins
      for (std::size_t i = 0; i < row.size(); ++i) {
        line.append(static_cast<std::size_t>(at - display_width(line)), ' ');
        line += row[i];
        at += widths_[i] + 2;
      }
      std::printf("%s\n", line.c_str());
    }
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<Dim> widths_;
};

}  // namespace fovea::app
