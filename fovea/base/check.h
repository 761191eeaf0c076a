/// Checks and the one error type. An error says what went wrong and where, what was expected, what
/// was found, and where possible what to do about it. Its kind says the same to programs.
#pragma once

#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>

namespace fovea {

/// What an error is about. The program has an exit code for each kind (apps/fovea/main.cc), the
/// server an HTTP status (serve/api_error.h).
enum class ErrorKind {
  bad_input,    // what the caller gave: a line, an argument, a shape. The default
  bad_setting,  // of a recipe, an option or a configuration
  bad_file,     // cannot be read or written, is damaged, or is not what was expected
  not_found,    // a file, or anything else that was asked for by its name
  too_large,    // beyond a limit or beyond the memory
  internal,     // must not happen: a defect of Fovea or of a library that it uses
};

/// Everything that Fovea throws on purpose.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ErrorKind kind = ErrorKind::bad_input)
      : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

/// The kind of any exception: an Error's own; of memory that the system refuses, too_large; of what
/// std::filesystem throws, not_found or bad_file; of all others, internal.
ErrorKind error_kind(const std::exception& error);

[[noreturn]] void throw_error(const std::string& message, ErrorKind kind = ErrorKind::bad_input);

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

/// The kind may stand before the parts. To add to the message of an error and keep its kind:
/// fail(error.kind(), path, ": ", error.what()).
template <class... Parts>
[[noreturn]] void fail(ErrorKind kind, const Parts&... parts) {
  throw_error(concat(parts...), kind);
}

}  // namespace fovea

/// FOVEA_CHECK(a.cols() == b.rows(), "matmul: a is ", a.shape(), ", b is ", b.shape());
/// FOVEA_CHECK(in, ErrorKind::not_found, path, ": no such file");
/// The message is built only when the check fails.
#define FOVEA_CHECK(condition, ...) \
  do {                              \
    if (!(condition)) [[unlikely]]  \
      ::fovea::fail(__VA_ARGS__);   \
  } while (false)
