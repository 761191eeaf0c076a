/// Lines of text that a command works on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fovea::app {

/// Those that were given as arguments; if there are none, those of stdin. A last line need not end.
/// What is not UTF-8 is replaced by U+FFFD, and the first time that is told on stderr.
class InputLines {
 public:
  explicit InputLines(std::vector<std::string> given);

  bool next(std::string& line);
  /// Whether a person types them and waits for each answer.
  bool typed() const { return typed_; }

 private:
  bool read(std::string& line);

  std::vector<std::string> given_;
  bool from_stdin_, typed_;
  std::int64_t number_ = 0;  // of the line that was read last, from 1
  bool warned_ = false;
};

}  // namespace fovea::app
