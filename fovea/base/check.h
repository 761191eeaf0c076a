/// Checks and the one error type. An error says what went wrong and where, what was expected, what
/// was found, and where possible what to do about it.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace fovea {

/// Everything that Fovea throws on bad input, bad files or bad shapes.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void throw_error(const std::string& message);

/// The parts, written one after the other.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw_error(concat(parts...));
}

}  // namespace fovea

/// FOVEA_CHECK(a.cols() == b.rows(), "matmul: a is ", a.shape(), ", b is ", b.shape());
/// The message is built only when the check fails.
#define FOVEA_CHECK(condition, ...) \
  do {                              \
    if (!(condition)) [[unlikely]]  \
      ::fovea::fail(__VA_ARGS__);   \
  } while (false)
