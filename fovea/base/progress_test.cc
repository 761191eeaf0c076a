#include "fovea/base/progress.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

/// What is written, with a clock that the test turns.
struct Screen {
  std::FILE* file = std::tmpfile();
  double now = 0;
  ~Screen() { std::fclose(file); }

  ProgressOptions options(ProgressOptions::Kind kind) {
    return {.out = file, .kind = kind, .clock = [this] { return now; }};
  }
  std::string text() const {
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
    return text;
  }
};

TEST(Progress, ALogGetsALineAtRisingIntervals) {
  Screen screen;
  int shown = 0;
  {
    Progress progress(screen.options(ProgressOptions::Kind::log));
    for (int tenth = 0; tenth <= 10000; ++tenth) {
      screen.now = tenth / 10.0;
      if (!progress.due()) continue;
      if (++shown == 1) progress.show(0.25, "first");
      if (shown == 2) progress.show(0.5, "second");
      if (shown > 2) progress.show(-1, "more");
    }
    progress.say("done");
  }
  const std::string text = screen.text();
  EXPECT_TRUE(text.starts_with(" 25% first\n 50% 0:04 left  second\nmore\n")) << text;
  EXPECT_TRUE(text.ends_with("more\ndone\n")) << text;
  EXPECT_GT(shown, 15);
  EXPECT_LT(shown, 25);
}

TEST(Progress, ATerminalHasOneLineThatIsWrittenOver) {
  Screen screen;
  {
    Progress progress(screen.options(ProgressOptions::Kind::terminal));
    EXPECT_FALSE(progress.due());
    screen.now = 0.2;
    EXPECT_TRUE(progress.due());
    progress.show(0.5, "half");
    progress.say("a word");
    progress.show(1, "all " + std::string(200, 'x'));
  }
  const std::string text = screen.text();
  EXPECT_TRUE(text.starts_with("\r[##########----------]  50% half\033[K\r\033[Ka word\n\r[####"))
      << text;
  EXPECT_TRUE(text.ends_with("xxx\033[K\n")) << text;
  EXPECT_LT(text.size(), 150U);
}

TEST(Progress, QuietOnlyWarns) {
  Screen screen;
  {
    ProgressOptions options = screen.options(ProgressOptions::Kind::terminal);
    options.quiet = true;
    Progress progress(options);
    screen.now = 100;
    EXPECT_FALSE(progress.due());
    progress.show(0.5, "half");
    progress.say("a word");
    progress.warn("a warning");
  }
  EXPECT_EQ(screen.text(), "a warning\n");
}

TEST(Progress, NumbersAreShort) {
  EXPECT_EQ(show_duration(95), "1:35");
  EXPECT_EQ(show_duration(4000), "1:06:40");
  EXPECT_EQ(show_count(18234), "18.2k");
  EXPECT_EQ(show_count(2.5e6), "2.5M");
  EXPECT_EQ(show_count(12), "12");
}

}  // namespace
}  // namespace fovea
