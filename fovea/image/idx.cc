#include "fovea/image/idx.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

#include "fovea/base/check.h"
#include "fovea/base/file_error.h"

namespace fovea {
namespace {

/// zlib reads a file that is not gzip as it stands.
class GzipFile {
 public:
  explicit GzipFile(const std::filesystem::path& path)
      : name_(path.string()), file_(gzopen(path.c_str(), "rb")) {
    FOVEA_CHECK(file_, file_error_kind(errno), name_,
                ": cannot be opened: ", std::generic_category().message(errno));
  }

  /// The next bytes; fewer at the end of the file.
  std::size_t read(std::span<std::uint8_t> to) {
    const int got = gzread(file_.get(), to.data(), static_cast<unsigned>(to.size()));
    int code = Z_OK;
    const char* problem = gzerror(file_.get(), &code);
    FOVEA_CHECK(got >= 0 && (code == Z_OK || code == Z_STREAM_END), ErrorKind::bad_file, name_,
                ": cannot be read: ", problem);
    return static_cast<std::size_t>(got);
  }

 private:
  struct Close {
    void operator()(gzFile file) const { gzclose_r(file); }
  };
  std::string name_;
  std::unique_ptr<gzFile_s, Close> file_;
};

constexpr int bytes_type = 0x08;
constexpr Dim largest = Dim{1} << 32;

Shape read_header(const IdxFile::Source& read, const std::string& name) {
  std::array<std::uint8_t, 4> magic = {};  // 0, 0, the type of the numbers, how many extents
  FOVEA_CHECK(read(magic) == magic.size() && magic[0] == 0 && magic[1] == 0, ErrorKind::bad_file,
              name, ": is not an idx file: expected it to begin with two zeros");
  FOVEA_CHECK(magic[2] == bytes_type, ErrorKind::bad_file, name, ": holds numbers of the type ",
              int{magic[2]}, " of idx; only unsigned bytes, type ", bytes_type, ", are read");
  const int rank = magic[3];
  FOVEA_CHECK(rank >= 1 && rank <= Shape::max_rank, ErrorKind::bad_file, name, ": has ", rank,
              " extents; expected 1 to ", Shape::max_rank);
  std::vector<Dim> extents;
  Dim size = 1;
  for (int i = 0; i < rank; ++i) {
    std::array<std::uint8_t, 4> number = {};  // the high byte first
    FOVEA_CHECK(read(number) == number.size(), ErrorKind::bad_file, name,
                ": is cut off in its header");
    Dim extent = 0;
    for (const std::uint8_t byte : number) extent = extent << 8 | byte;
    FOVEA_CHECK(extent == 0 || size <= largest / extent, ErrorKind::too_large, name,
                ": claims more than ", largest, " bytes, which is not read");
    size *= extent;
    extents.push_back(extent);
  }
  return Shape(extents);
}

}  // namespace

IdxFile IdxFile::read(const std::filesystem::path& path) {
  GzipFile file(path);
  return read([&](std::span<std::uint8_t> to) { return file.read(to); }, path.string());
}

IdxFile IdxFile::read(const Source& source, std::string name) {
  constexpr std::size_t block = 1 << 20;
  const Shape shape = read_header(source, name);
  const auto size = static_cast<std::size_t>(shape.size());
  std::vector<std::uint8_t> bytes;  // grows with what is read, whatever the header claims
  while (bytes.size() < size) {
    const std::size_t begin = bytes.size();
    bytes.resize(std::min(size, begin + block));
    const std::size_t got = source(std::span(bytes).subspan(begin));
    FOVEA_CHECK(begin + got == bytes.size(), ErrorKind::bad_file, name, ": is cut off: expected ",
                size, " bytes after the header, found ", begin + got, "; fetch it again");
  }
  std::uint8_t beyond = 0;  // zlib compares checksums when it comes to the end
  FOVEA_CHECK(source({&beyond, 1}) == 0, ErrorKind::bad_file, name, ": has more than the ", size,
              " bytes that its header ", shape, " claims");
  return {std::move(name), shape, std::move(bytes)};
}

std::span<const std::uint8_t> IdxFile::operator[](Dim item) const {
  FOVEA_CHECK(item >= 0 && item < size(), name_, ": has ", size(), " items; there is no item ",
              item);
  const std::size_t each = bytes_.size() / static_cast<std::size_t>(size());
  return std::span(bytes_).subspan(static_cast<std::size_t>(item) * each, each);
}

Image IdxFile::image(Dim item) const {
  FOVEA_CHECK(shape_.rank() == 3, ErrorKind::bad_file, name_,
              ": expected images (items, height, width), found ", shape_);
  const auto bytes = (*this)[item];
  return {shape_[1], shape_[2], 1, {bytes.begin(), bytes.end()}};
}

}  // namespace fovea
