#include "fovea/base/atomic_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "fovea/base/check.h"
#include "fovea/base/view.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

class Output : public ::testing::Test {
 protected:
  Output() : folder(fs::path(::testing::TempDir()) / concat("output.", ::getpid())) {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~Output() override { fs::remove_all(folder); }

  std::string read(const char* name) const {
    std::ostringstream all;
    all << std::ifstream(folder / name).rdbuf();
    return all.str();
  }
  Dim files() const {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  }
  template <class Act>
  static void expect_error(const Act& act, const std::string& expected, ErrorKind kind) {
    try {
      act();
      FAIL() << "no error: " << expected;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), expected);
      EXPECT_EQ(error.kind(), kind) << expected;
    }
  }

  fs::path folder;
};

TEST_F(Output, IsReplacedWhole) {
  write_output(folder / "a", "before");
  const fs::path old = folder / "old";
  fs::create_hard_link(folder / "a", old);
  write_output(folder / "a", "after");
  EXPECT_EQ(read("a"), "after");
  EXPECT_EQ(read("old"), "before");  // another file: what was there was never cut off
  EXPECT_EQ(files(), 2);
}

TEST_F(Output, GoesWhereALinkPoints) {
  write_output(folder / "a", "before");
  fs::create_symlink("a", folder / "link");
  write_output(folder / "link", "after");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read("a"), "after");
}

TEST_F(Output, GoesIntoWhatIsNoFile) {
  check_output("/dev/null");
  write_output("/dev/null", "nobody reads this");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  expect_error([] { write_output("/dev/full", "a"); },
               "/dev/full: cannot be written: No space left on device", ErrorKind::bad_file);
}

TEST_F(Output, IsCheckedWithoutATrace) {
  check_output(folder / "a");
  EXPECT_EQ(files(), 0);
  write_output(folder / "a", "before");
  check_output(folder / "a");
  EXPECT_EQ(read("a"), "before");
  EXPECT_EQ(files(), 1);
  if (::geteuid() != 0) {  // to whom nothing is forbidden
    fs::permissions(folder / "a", fs::perms::owner_read);
    expect_error([&] { check_output(folder / "a"); },
                 (folder / "a").string() + ": cannot be written: Permission denied",
                 ErrorKind::bad_file);
  }
  const std::string missing = (folder / "no").string();
  expect_error([&] { check_output(folder / "no" / "a"); },
               missing + "/a: there is no folder " + missing + " to write it to; make it first",
               ErrorKind::not_found);
  expect_error([&] { check_output(folder); },
               folder.string() + ": is a folder; name a file to write", ErrorKind::bad_file);
  expect_error([&] { write_output(folder, ""); },
               folder.string() + ": is a folder; name a file to write", ErrorKind::bad_file);
  expect_error([&] { write_output(folder / "no" / "a", ""); },
               missing + "/a: cannot be created: No such file or directory", ErrorKind::not_found);
}

}  // namespace
}  // namespace fovea
