#include "fovea/base/check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <stdexcept>

#include "fovea/base/error_testing.h"

namespace fovea {
namespace {

TEST(Check, HoldsAndSaysNothing) { EXPECT_NO_THROW(FOVEA_CHECK(1 + 1 == 2, "never seen")); }

TEST(Check, FailsWithItsMessage) {
  try {
    FOVEA_CHECK(false, "linear: expected ", 3, " columns, found ", 4);
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "linear: expected 3 columns, found 4");
  }
}

TEST(Check, BuildsTheMessageOnlyWhenItFails) {
  int built = 0;
  auto part = [&] { return ++built; };
  FOVEA_CHECK(true, part());
  EXPECT_EQ(built, 0);
}

TEST(ErrorKind, StandsBeforeTheMessageAndIsBadInputOtherwise) {
  EXPECT_EQ(kind_thrown_by([] { FOVEA_CHECK(false, "a line"); }), ErrorKind::bad_input);
  EXPECT_EQ(kind_thrown_by([] { fail("a line"); }), ErrorKind::bad_input);
  EXPECT_EQ(kind_thrown_by([] { fail(ErrorKind::internal, "a defect"); }), ErrorKind::internal);
  try {
    FOVEA_CHECK(false, ErrorKind::not_found, "no model called ", 7);
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
    EXPECT_STREQ(error.what(), "no model called 7");
  }
}

TEST(ErrorKind, IsKeptByAnErrorThatSaysMore) {
  const auto in_a_file = [] {
    try {
      fail(ErrorKind::too_large, "9 rows");
    } catch (const Error& error) {
      fail(error.kind(), "file: ", error.what());
    }
  };
  EXPECT_EQ(kind_thrown_by(in_a_file), ErrorKind::too_large);
}

TEST(ErrorKind, IsKnownOfOtherExceptions) {
  using std::filesystem::filesystem_error;
  const auto code = [](std::errc error) { return std::make_error_code(error); };
  const auto missing = code(std::errc::no_such_file_or_directory);
  const auto denied = code(std::errc::permission_denied);
  EXPECT_EQ(error_kind(std::bad_alloc()), ErrorKind::too_large);
  EXPECT_EQ(error_kind(filesystem_error("open", missing)), ErrorKind::not_found);
  EXPECT_EQ(error_kind(filesystem_error("open", denied)), ErrorKind::bad_file);
  EXPECT_EQ(error_kind(std::runtime_error("out of range")), ErrorKind::internal);
}

}  // namespace
}  // namespace fovea
