#include "fovea/base/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace fovea {
namespace {

constexpr double kTerminalInterval = 0.1, kFirstLogInterval = 1, kLongestLogInterval = 60;
constexpr int kBar = 20;  // columns

double real_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::size_t width_of(std::FILE* terminal) {
  winsize size = {};
  const bool known = ::ioctl(::fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : 80;
}

std::string bar(double part) {
  std::string text = "[--------------------] ";
  std::fill_n(text.begin() + 1, static_cast<int>(part * kBar), '#');
  return text;
}

template <class... Numbers>
std::string format(const char* pattern, Numbers... numbers) {
  char text[64];
  std::snprintf(text, sizeof(text), pattern, numbers...);
  return text;
}

}  // namespace

Progress::Progress(ProgressOptions options) : options_(std::move(options)) {
  using Kind = ProgressOptions::Kind;
  if (!options_.clock) options_.clock = real_seconds;
  terminal_ = options_.kind == Kind::look ? ::isatty(::fileno(options_.out)) == 1
                                          : options_.kind == Kind::terminal;
  interval_ = terminal_ ? kTerminalInterval : kFirstLogInterval;
  begin_ = options_.clock();
  next_ = begin_ + interval_;
}

Progress::~Progress() {
  if (open_) std::fputc('\n', options_.out);
}

bool Progress::due() const { return !options_.quiet && options_.clock() >= next_; }

double Progress::seconds_left(double part) {
  if (first_part_ < 0) {  // what was done before the first look is not known to have taken time
    first_part_ = part;
    begin_ = options_.clock();
  }
  const double done = part - first_part_;
  return done > 0 ? (options_.clock() - begin_) * (1 - part) / done : -1;
}

void Progress::show(double part, const std::string& text) {
  if (options_.quiet) return;
  std::string line;
  if (part >= 0) {
    part = std::min(part, 1.0);
    const double left = seconds_left(part);
    if (terminal_) line += bar(part);
    line += format("%3.0f%% ", 100 * part);
    if (left >= 0) line += show_duration(left) + " left  ";
  }
  line += text;
  if (terminal_) {
    line.resize(std::min(line.size(), width_of(options_.out) - 1));
    std::fprintf(options_.out, "\r%s\033[K", line.c_str());
    open_ = true;
  } else {
    std::fprintf(options_.out, "%s\n", line.c_str());
    interval_ = std::min(2 * interval_, kLongestLogInterval);
  }
  std::fflush(options_.out);
  next_ = options_.clock() + interval_;
}

void Progress::say(const std::string& line) {
  if (!options_.quiet) warn(line);
}

void Progress::warn(const std::string& line) {
  std::fprintf(options_.out, "%s%s\n", open_ ? "\r\033[K" : "", line.c_str());
  std::fflush(options_.out);
  open_ = false;
}

std::string show_duration(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  const long long hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
  return hours > 0 ? format("%lld:%02lld:%02lld", hours, minutes, rest)
                   : format("%lld:%02lld", minutes, rest);
}

std::string show_count(double count) {
  if (count >= 1e9) return format("%.3gG", count / 1e9);
  if (count >= 1e6) return format("%.3gM", count / 1e6);
  if (count >= 1e3) return format("%.3gk", count / 1e3);
  return format("%.3g", count);
}

}  // namespace fovea
