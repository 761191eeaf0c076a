/// PNG files, by libpng.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "fovea/image/image.h"

namespace fovea {

constexpr Dim max_png_pixels = Dim{1} << 26;  // 8192 x 8192

/// Reads any PNG: depths of 1 to 16 bits, grey, colour or a palette, transparent or not, interlaced
/// or not. The result has 8 bits a channel (of 16 they are rounded), and 1 channel if the file is
/// grey, else 3. Transparent pixels are blended with white. Values are those of the file: no gamma
/// or colour profile is applied.
///
/// Throws an Error that begins with the file's name if it is damaged, or has more than `max_pixels`
/// pixels; those are counted before memory is allocated.
Image read_png(const std::filesystem::path& path, Dim max_pixels = max_png_pixels);
/// The same from memory; `name` stands for the file in messages.
Image decode_png(std::string_view bytes, std::string_view name, Dim max_pixels = max_png_pixels);

/// The bytes of a PNG file. At most 32,768 pixels on either side.
std::string encode_png(const Image& image);

}  // namespace fovea
