#include "fovea/data/zip.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>

#include "fovea/base/check.h"
#include "fovea/base/file_error.h"

namespace fovea {
namespace {

/// PKWARE's APPNOTE, 4.3: a directory at the end of the archive says where files begin; each has a
/// header of its own before its bytes.
constexpr std::string_view end_mark = "PK\5\6", entry_mark = "PK\1\2", file_mark = "PK\3\4";
constexpr std::size_t end_size = 22, entry_size = 46, file_size = 30;
constexpr std::uint32_t stored = 0, deflated = 8;

class Archive {
 public:
  explicit Archive(const std::filesystem::path& path) : path_(path.string()) {
    std::ifstream in(path, std::ios::binary);
    FOVEA_CHECK(in, file_error_kind(path), path_, ": cannot be opened");
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }

  std::string file(std::string_view name) const {
    const std::size_t end = bytes_.rfind(end_mark);
    FOVEA_CHECK(end != std::string::npos, ErrorKind::bad_file, path_,
                ": is not a zip archive, or is cut off");
    const std::size_t count = number(end + 10, 2);
    std::size_t at = number(end + 16, 4);
    for (std::size_t i = 0; i < count; ++i) {
      expect(at, entry_mark, entry_size);
      const std::size_t length = number(at + 28, 2);
      check_room(at + entry_size, length);
      if (std::string_view(bytes_).substr(at + entry_size, length) == name) return entry(at);
      at += entry_size + length + number(at + 30, 2) + number(at + 32, 2);
    }
    fail(ErrorKind::bad_file, path_, ": has no file called ", name);
  }

 private:
  void check_room(std::size_t at, std::size_t size) const {
    FOVEA_CHECK(at <= bytes_.size() && size <= bytes_.size() - at, ErrorKind::bad_file, path_,
                ": the archive is cut off or damaged");
  }
  void expect(std::size_t at, std::string_view mark, std::size_t size) const {
    check_room(at, size);
    FOVEA_CHECK(std::string_view(bytes_).substr(at, mark.size()) == mark, ErrorKind::bad_file,
                path_, ": the archive is damaged");
  }
  /// Little-endian, unsigned.
  std::uint32_t number(std::size_t at, std::size_t size) const {
    check_room(at, size);
    std::uint32_t value = 0;
    for (std::size_t i = size; i > 0; --i) {
      value = value << 8 | static_cast<unsigned char>(bytes_[at + i - 1]);
    }
    return value;
  }

  std::string entry(std::size_t at) const {
    const std::uint32_t how = number(at + 10, 2), crc = number(at + 16, 4);
    const std::size_t packed = number(at + 20, 4), size = number(at + 24, 4);
    std::size_t begin = number(at + 42, 4);
    expect(begin, file_mark, file_size);
    begin += file_size + number(begin + 26, 2) + number(begin + 28, 2);
    check_room(begin, packed);
    FOVEA_CHECK(how == stored || how == deflated, ErrorKind::bad_file, path_,
                ": packed in a way that is not known (", how, ")");
    std::string out = how == stored ? bytes_.substr(begin, packed) : inflated(begin, packed);
    const auto found =
        crc32(0, reinterpret_cast<const Bytef*>(out.data()), static_cast<uInt>(out.size()));
    FOVEA_CHECK(out.size() == size && found == crc, ErrorKind::bad_file, path_,
                ": a file is damaged");
    return out;
  }

  /// Grows with what comes out, whatever the header claims.
  std::string inflated(std::size_t begin, std::size_t packed) const {
    z_stream stream = {};
    FOVEA_CHECK(inflateInit2(&stream, -MAX_WBITS) == Z_OK, ErrorKind::too_large, path_,
                ": no memory to unpack it");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + begin));
    stream.avail_in = static_cast<uInt>(packed);
    std::string out, piece(1 << 16, '\0');
    int state = Z_OK;
    while (state == Z_OK) {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = static_cast<uInt>(piece.size());
      state = inflate(&stream, Z_NO_FLUSH);
      out.append(piece, 0, piece.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    FOVEA_CHECK(state == Z_STREAM_END, ErrorKind::bad_file, path_, ": a file is damaged");
    return out;
  }

  std::string path_, bytes_;
};

}  // namespace

std::string read_zip(const std::filesystem::path& path, std::string_view name) {
  return Archive(path).file(name);
}

}  // namespace fovea
