#include "input.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <utility>

#include "fovea/unicode/utf8.h"

namespace fovea::app {

InputLines::InputLines(std::vector<std::string> given)
    : given_(std::move(given)),
      from_stdin_(given_.empty()),
      typed_(from_stdin_ && ::isatty(STDIN_FILENO) == 1) {}

bool InputLines::read(std::string& line) {
  if (!from_stdin_) {
    if (number_ == static_cast<std::int64_t>(given_.size())) return false;
    line = given_[static_cast<std::size_t>(number_++)];
    return true;
  }
  if (!std::getline(std::cin, line)) return false;
  if (line.ends_with('\r')) line.pop_back();
  if (number_++ == 0 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // byte order mark
  return true;
}

bool InputLines::next(std::string& line) {
  if (!read(line)) return false;
  if (valid_utf8(line)) return true;
  line = repaired_utf8(line);
  if (!std::exchange(warned_, true)) {
    std::fprintf(stderr, "fovea: %s:%lld: not UTF-8; what is not is read as U+FFFD\n",
                 from_stdin_ ? "stdin" : "text", static_cast<long long>(number_));
  }
  return true;
}

}  // namespace fovea::app
