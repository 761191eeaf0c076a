// A PNG file, and the patches of the image.
#include "fovea/image/png.h"

#include <zlib.h>

#include "folder.h"
#include "fovea/image/patches.h"

namespace {

/// With the checksum of each chunk made right: otherwise hardly any change would reach the decoder.
/// Chunk: length of the data (4 bytes, the high one first), name (4), data, CRC of name and data
/// (4).
std::string with_sums(std::string file) {
  constexpr std::size_t signature = 8, around = 12;
  auto* bytes = reinterpret_cast<std::uint8_t*>(file.data());
  for (std::size_t at = signature; at + around <= file.size();) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8 | bytes[at + i];
    if (length > file.size() - at - around) break;
    const auto sum = crc32(0, bytes + at + 4, static_cast<uInt>(length + 4));
    at += around + length;
    for (std::size_t i = 0; i < 4; ++i) bytes[at - 1 - i] = static_cast<std::uint8_t>(sum >> 8 * i);
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fovea;
  const std::string_view bytes = fuzz::text_of(data, size);
  for (const std::string& file : {std::string(bytes), with_sums(std::string(bytes))}) {
    fuzz::expect_read_or_error([&] {
      const Image image = decode_png(file, "x.png", 1 << 20);
      patch_rows({&image, 1}, 1);
      encode_png(image);
    });
  }
  return 0;
}
