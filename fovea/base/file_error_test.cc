#include "fovea/base/file_error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace fovea {
namespace {

using std::filesystem::filesystem_error;

TEST(FileError, NamesTheFileTheReasonAndWhatToDo) {
  const auto denied = std::make_error_code(std::errc::permission_denied);
  EXPECT_EQ(message_of(filesystem_error("status", "runs/m/config.json", denied)),
            "runs/m/config.json: Permission denied; name another place, or let this user read and "
            "write there (chmod, chown)");
  const auto full = std::make_error_code(std::errc::no_space_on_device);
  EXPECT_EQ(message_of(filesystem_error("rename", "a", "b", full)),
            "a -> b: No space left on device; make room, or name another place");
  const auto loop = std::make_error_code(std::errc::too_many_symbolic_link_levels);
  EXPECT_EQ(message_of(filesystem_error("status", "a", loop)),
            "a: Too many levels of symbolic links");
  EXPECT_EQ(message_of(filesystem_error("cwd", loop)), "Too many levels of symbolic links");
}

TEST(FileError, TellsAMissingFileFromABadOne) {
  const std::filesystem::path folder = ::testing::TempDir();
  EXPECT_EQ(file_error_kind(folder / "no such file"), ErrorKind::not_found);
  EXPECT_EQ(file_error_kind(folder), ErrorKind::bad_file);  // there, but not to be opened
  EXPECT_EQ(file_error_kind(ENOENT), ErrorKind::not_found);
  EXPECT_EQ(file_error_kind(ENOTDIR), ErrorKind::not_found);
  EXPECT_EQ(file_error_kind(EACCES), ErrorKind::bad_file);
}

}  // namespace
}  // namespace fovea
