#include "fovea/image/idx.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>

#include "fovea/base/check.h"

namespace fovea {
namespace {

using std::string_literals::operator""s;

class Idx : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& bytes) const {
    std::ofstream(folder_ / "plain", std::ios::binary) << bytes;
    return folder_ / "plain";
  }
  std::filesystem::path write_gzip(const std::string& bytes) const {
    const auto path = folder_ / "packed";
    const gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return path;
  }
  static std::string message_of(const std::filesystem::path& path) {
    try {
      IdxFile::read(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / concat("idx.", ::getpid());
  const std::string labels_ = "\0\0\x08\1\0\0\0\3\7\0\2"s;
  const std::string images_ = "\0\0\x08\3\0\0\0\2\0\0\0\1\0\0\0\3abcdef"s;
};

TEST_F(Idx, ComesFromAnySource) {
  std::span<const char> rest = images_;
  const auto from_memory = [&](std::span<std::uint8_t> to) {
    const std::size_t count = std::min(to.size(), rest.size());
    std::copy_n(rest.begin(), count, to.begin());
    rest = rest.subspan(count);
    return count;
  };
  EXPECT_EQ(IdxFile::read(from_memory, "memory").image(1).pixels,
            (std::vector<std::uint8_t>{'d', 'e', 'f'}));
}

TEST_F(Idx, GivesItems) {
  for (const auto& path : {write(labels_), write_gzip(labels_)}) {
    const IdxFile labels = IdxFile::read(path);
    ASSERT_EQ(labels.shape(), Shape{3});
    EXPECT_EQ(labels[0][0], 7);
    EXPECT_EQ(labels[2][0], 2);
    EXPECT_EQ(labels[2].size(), 1U);
    EXPECT_THROW(labels[3], Error);
    EXPECT_THROW(labels[-1], Error);
    EXPECT_THROW(labels.image(0), Error);
  }
}

TEST_F(Idx, GivesImages) {
  for (const auto& path : {write(images_), write_gzip(images_)}) {
    const IdxFile images = IdxFile::read(path);
    ASSERT_EQ(images.size(), 2);
    EXPECT_EQ(images.image(0), (Image{1, 3, 1, {'a', 'b', 'c'}}));
    EXPECT_EQ(images.image(1), (Image{1, 3, 1, {'d', 'e', 'f'}}));
    EXPECT_THROW(images.image(2), Error);
  }
}

TEST_F(Idx, ReadsMoreThanABlock) {
  const Dim rows = 3000, cols = 1000;
  std::string bytes = "\0\0\x08\2\0\0\x0b\xb8\0\0\3\xe8"s;
  for (Dim i = 0; i < rows * cols; ++i) bytes += static_cast<char>(i % 251);
  const IdxFile file = IdxFile::read(write_gzip(bytes));
  ASSERT_EQ(file.shape(), (Shape{rows, cols}));
  EXPECT_EQ(file[rows - 1][cols - 1], (rows * cols - 1) % 251);
}

TEST_F(Idx, MayBeEmpty) {
  const IdxFile file = IdxFile::read(write("\0\0\x08\1\0\0\0\0"s));
  EXPECT_EQ(file.size(), 0);
  EXPECT_THROW(file[0], Error);
}

TEST_F(Idx, SaysWhatIsWrong) {
  EXPECT_NE(message_of(folder_ / "none").find("none: cannot be opened"), std::string::npos);
  EXPECT_NE(message_of(folder_), "");
  EXPECT_NE(message_of(write("")).find("is not an idx file"), std::string::npos);
  EXPECT_NE(message_of(write("PNG!")).find("is not an idx file"), std::string::npos);
  EXPECT_NE(message_of(write("\0\0\x0d\1\0\0\0\1abcd"s)).find("type 13"), std::string::npos);
  EXPECT_NE(message_of(write("\0\0\x08\0"s)).find("0 extents"), std::string::npos);
  EXPECT_NE(message_of(write("\0\0\x08\3\0\0\0\1\0"s)).find("cut off in its header"),
            std::string::npos);
  EXPECT_NE(message_of(write(labels_.substr(0, 10))).find("expected 3 bytes"), std::string::npos);
  EXPECT_NE(message_of(write(labels_ + "x")).find("more than the 3 bytes"), std::string::npos);
  const std::string huge = "\0\0\x08\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"s;
  EXPECT_NE(message_of(write(huge)).find("claims more than"), std::string::npos);
  EXPECT_NE(message_of(write("\0\0\x08\1\xff\xff\xff\xff"s)).find("is cut off"), std::string::npos);
}

TEST_F(Idx, RefusesDamagedGzip) {
  const auto path = write_gzip(images_);
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  EXPECT_NE(message_of(write(bytes.substr(0, bytes.size() - 4))), "");
  bytes[bytes.size() - 8] ^= 1;  // of the checksum
  EXPECT_NE(message_of(write(bytes)), "");
}

}  // namespace
}  // namespace fovea
