#include "fovea/data/tar.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "fovea/base/check.h"
#include "fovea/data/unpack.h"

namespace fovea {
namespace {

constexpr std::size_t block = 512;
using Header = std::array<char, block>;

std::string_view text_field(const Header& header, std::size_t at, std::size_t size) {
  const std::string_view field(header.data() + at, size);
  return field.substr(0, field.find('\0'));
}

/// Octal digits, with blanks around them. -1: something else.
std::int64_t octal_field(const Header& header, std::size_t at, std::size_t size) {
  std::int64_t value = 0;
  for (const char c : text_field(header, at, size)) {
    if (c == ' ') continue;
    if (c < '0' || c > '7') return -1;
    value = value * 8 + (c - '0');
  }
  return value;
}

/// The sum of its bytes, with blanks in the place of the sum itself.
bool sum_is_right(const Header& header) {
  std::int64_t sum = 8 * ' ';
  for (std::size_t i = 0; i < block; ++i) {
    if (i < 148 || i >= 156) sum += static_cast<unsigned char>(header[i]);
  }
  return octal_field(header, 148, 8) == sum;
}

}  // namespace

void read_tar(const std::filesystem::path& path, const TarVisitor& visit) {
  Unpacked bytes(path);
  Header header;
  for (std::size_t got = 0; (got = bytes.read(header)) > 0;) {
    FOVEA_CHECK(got == block, ErrorKind::bad_file, path.string(),
                ": the archive is cut off in a header");
    if (std::all_of(header.begin(), header.end(), [](char c) { return c == '\0'; })) return;
    FOVEA_CHECK(sum_is_right(header), ErrorKind::bad_file, path.string(),
                ": is not a tar archive, or is damaged");
    const std::int64_t size = octal_field(header, 124, 12);
    FOVEA_CHECK(size >= 0, ErrorKind::bad_file, path.string(),
                ": the archive has a file of an unknown size");
    std::string name(text_field(header, 345, 155));
    name += concat(name.empty() ? "" : "/", text_field(header, 0, 100));

    std::string contents;  // grows with what is there, whatever the header claims
    std::array<char, 64 * block> piece;
    const std::int64_t padded = (size + static_cast<std::int64_t>(block) - 1) / block * block;
    for (std::int64_t left = padded; left > 0;) {
      const auto want = static_cast<std::size_t>(std::min<std::int64_t>(left, piece.size()));
      FOVEA_CHECK(bytes.read({piece.data(), want}) == want, ErrorKind::bad_file, path.string(),
                  ": ", name, " is cut off");
      contents.append(piece.data(), want);
      left -= static_cast<std::int64_t>(want);
    }
    contents.resize(static_cast<std::size_t>(size));
    if (header[156] == '0' || header[156] == '\0') visit(name, std::move(contents));
  }
}

}  // namespace fovea
