/// How far something long has come: one line that is written over on a terminal, now and then a
/// plain line in a log.
///
///   Progress progress;
///   for (...) {
///     if (progress.due()) progress.show(done / all, concat("step ", step));
///   }
#pragma once

#include <cstdio>
#include <functional>
#include <string>

namespace fovea {

struct ProgressOptions {
  bool quiet = false;
  std::FILE* out = stderr;
  enum class Kind { look, terminal, log } kind = Kind::look;  // look: whether `out` is a terminal
  std::function<double()> clock = {};                         // seconds; by default the real ones
};

class Progress {
 public:
  explicit Progress(ProgressOptions options = {});
  /// Leaves the cursor on a line of its own.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether it is time to show something: ten times a second on a terminal; in a log after 1, 2,
  /// 4 ... seconds, then once a minute. Cheap.
  bool due() const;
  /// `part` is in [0, 1]; below 0: nobody knows. A bar and the time that is left go before `text`.
  void show(double part, const std::string& text);
  /// A line that stays.
  void say(const std::string& line);
  /// A line that stays, also when quiet.
  void warn(const std::string& line);

 private:
  double seconds_left(double part);

  ProgressOptions options_;
  bool terminal_;
  double begin_, next_, interval_;
  double first_part_ = -1;
  bool open_ = false;  // the cursor stands in a line that will be written over
};

/// 95 -> "1:35", 4000 -> "1:06:40".
std::string show_duration(double seconds);
/// 18234 -> "18.2k".
std::string show_count(double count);

}  // namespace fovea
