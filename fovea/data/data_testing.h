/// A folder of a test's own and files to put there.
#pragma once

#include <gtest/gtest.h>
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "fovea/base/check.h"

namespace fovea {

class FolderTest : public ::testing::Test {
 protected:
  FolderTest()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                concat("fovea.", ::getpid(), ".",
                       ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
  }
  ~FolderTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  static std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
};

/// The message of the Error that this throws.
template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline void expect_says(const std::string& message, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "expected '" << part << "' in: " << message;
  }
}

inline std::string gzipped(std::string_view text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string xzipped(std::string_view text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}

/// A file as it stands in an archive: header, bytes, zeros up to a full block.
inline std::string tar_entry(const std::string& name, const std::string& bytes, char type = '0') {
  std::string header(512, '\0');
  name.copy(header.data(), 100);
  std::snprintf(header.data() + 124, 12, "%011zo", bytes.size());
  header[156] = type;
  std::string("ustar").copy(header.data() + 257, 5);
  std::string(8, ' ').copy(header.data() + 148, 8);
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  std::snprintf(header.data() + 148, 8, "%06o", sum);
  return header + bytes + std::string((512 - bytes.size() % 512) % 512, '\0');
}

/// An archive of one file, packed as zip packs it.
inline std::string zipped(std::string_view name, std::string_view bytes) {
  const std::string gz = gzipped(bytes);
  const std::string packed = gz.substr(10, gz.size() - 18);  // without header, CRC and size
  const auto number = [](std::uint64_t value, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i, value >>= 8) text += static_cast<char>(value & 0xff);
    return text;
  };
  const auto crc =
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  const std::string common = number(20, 2) + number(0, 2) + number(8, 2) + number(0, 4) +
                             number(crc, 4) + number(packed.size(), 4) + number(bytes.size(), 4) +
                             number(name.size(), 2) + number(0, 2);
  const std::string file = concat("PK\3\4", common, name, packed);
  const std::string entry = concat("PK\1\2", number(20, 2), common, number(0, 14), name);
  return concat(file, entry, "PK\5\6", number(0, 4), number(1, 2), number(1, 2),
                number(entry.size(), 4), number(file.size(), 4), number(0, 2));
}

}  // namespace fovea
